import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBlockPace } from './block-pace.ts'

const CHAIN = 'eip155:1'

test('a pause, a burst or a skipped head does not change the pace of a chain', () => {
  const pace = createBlockPace()
  assert.equal(pace.secondsPerBlock(CHAIN), 12)
  let [number, timestampSeconds] = [100n, 1_000]
  const see = (blocks: bigint, seconds: number): void => {
    number += blocks
    timestampSeconds += seconds
    pace.see(CHAIN, { number, timestampSeconds })
  }
  see(0n, 0)
  assert.equal(pace.secondsPerBlock(CHAIN), 12)
  for (const [blocks, seconds] of [
    [1n, 2],
    [1n, 600],
    [3n, 6],
    [5n, 0],
    [1n, 2],
  ] as const)
    see(blocks, seconds)
  assert.equal(pace.secondsPerBlock(CHAIN), 2)
  assert.equal(pace.secondsPerBlock('eip155:2'), 12)
})

test('a pace that changes is the new one after a while', () => {
  const pace = createBlockPace()
  for (let block = 0; block < 100; block += 1)
    pace.see(CHAIN, { number: BigInt(block), timestampSeconds: block < 50 ? block : 50 + (block - 50) * 24 })
  assert.equal(pace.secondsPerBlock(CHAIN), 24)
})

test('a head that is not there, or lower than before, is no step', () => {
  const pace = createBlockPace()
  pace.see(CHAIN, { number: 10n, timestampSeconds: 100 })
  pace.see(CHAIN, undefined)
  pace.see(CHAIN, { number: 9n, timestampSeconds: 400 })
  assert.equal(pace.secondsPerBlock(CHAIN), 12)
})
