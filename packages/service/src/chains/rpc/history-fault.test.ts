import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHistoryFaults } from './history-fault.ts'
import { RpcError } from './rpc-error.ts'

const MISSED = new RpcError('NODE_PRUNED', 'node no longer has block 125')
const RESET = new RpcError('WRONG_CHAIN', 'another first block')

test('history that one answer misses is not lost, and is once every read of ten seconds has missed it', () => {
  let nowMs = 0
  const faults = createHistoryFaults(() => nowMs)
  for (nowMs of [0, 5_000, 9_999]) assert.equal(faults.note(MISSED), undefined)
  assert.equal(faults.known(), undefined)
  nowMs = 10_000
  assert.equal(faults.note(MISSED), 'history_lost')
  assert.equal(faults.note(MISSED), undefined)
  assert.equal(faults.known(), 'history_lost')
  assert.equal(faults.note(), undefined)
  assert.equal(faults.known(), undefined)
})

test('a read that finds the history ends the ten seconds', () => {
  let nowMs = 0
  const faults = createHistoryFaults(() => nowMs)
  for (nowMs of [0, 6_000, 12_000, 18_000])
    assert.equal(faults.note(nowMs === 6_000 ? undefined : MISSED), undefined)
  nowMs = 22_000
  assert.equal(faults.note(MISSED), 'history_lost')
})

test('history is lost, and stays lost, though an endpoint that fails hides that others miss it', () => {
  let nowMs = 0
  const faults = createHistoryFaults(() => nowMs)
  const silent = new RpcError('NO_AGREEMENT', 'too few endpoints say the same')
  for (nowMs of [0, 6_000, 9_000]) assert.equal(faults.note(nowMs === 6_000 ? silent : MISSED), undefined)
  nowMs = 12_000
  assert.equal(faults.note(silent), undefined)
  assert.equal(faults.note(MISSED), 'history_lost')
  assert.equal(faults.note(silent), undefined)
  assert.equal(faults.known(), 'history_lost')
})

test('a chain that was reset is a fault at once', () => {
  const faults = createHistoryFaults(() => 0)
  assert.equal(faults.note(RESET), 'chain_reset')
  assert.equal(faults.note(RESET), undefined)
})
