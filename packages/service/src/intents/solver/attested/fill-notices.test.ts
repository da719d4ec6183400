import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escrowOrderOf } from '../../../../test/escrow-orders.ts'
import type { OrderId } from '../../../core/intent-order.ts'
import { createFillNotices } from './fill-notices.ts'

const { order } = escrowOrderOf('SOL')
const idOf = (index: number): OrderId => `0x${index.toString(16).padStart(64, '0')}`

const open = (stored?: string) => {
  const said: string[] = []
  let time = 0
  let isConnected = true
  const notices = createFillNotices({
    sayFilled: (_, transaction) => {
      if (isConnected) said.push(transaction)
      return isConnected
    },
    // CAST: the notices read the hash only.
    store: { findPayout: async () => (stored === undefined ? undefined : ({ txHash: stored } as never)) },
    now: () => order.openDeadline * 1000 + time,
    steady: () => time,
  })
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      time += 1_000
      await notices.round()
    }
  }
  const wait = (seconds: number): void => {
    time += seconds * 1_000
  }
  const connect = (connected: boolean): void => {
    isConnected = connected
  }
  return { notices, said, pass, wait, connect }
}

test('a fill is named again after growing pauses, a minute at most, until the service knows it', async () => {
  const { notices, said, pass } = open('stored')
  notices.add({ orderId: idOf(1), order, fillTxHash: undefined })
  notices.add({ orderId: idOf(1), order, fillTxHash: undefined })
  await pass(120)
  assert.ok(said.length >= 6 && said.length <= 9, `${said.length}`)
  assert.deepEqual(new Set(said), new Set(['stored']))
  const before = said.length
  await pass(180)
  assert.ok(said.length >= before + 2 && said.length <= before + 4, `${said.length - before}`)
  notices.known(idOf(1))
  const known = said.length
  await pass(120)
  assert.equal(said.length, known)
})

test('a fill that was found on chain is named by its transaction, and one that is not stored is not named', async () => {
  const { notices, said, pass } = open()
  notices.add({ orderId: idOf(1), order, fillTxHash: 'found' })
  notices.add({ orderId: idOf(2), order, fillTxHash: undefined })
  await pass(1)
  assert.deepEqual(said, ['found'])
})

test('fills are named at once after a lost connection, four a round', async () => {
  const { notices, said, pass, connect } = open('stored')
  connect(false)
  for (let index = 0; index < 10; index += 1)
    notices.add({ orderId: idOf(index), order, fillTxHash: `${index}` })
  await pass(30)
  assert.deepEqual(said, [])
  connect(true)
  await pass(3)
  assert.equal(new Set(said).size, 10)
})

test('a fill is named until a week after everybody can refund the order', async () => {
  const { notices, said, pass, wait } = open('stored')
  notices.add({ orderId: idOf(1), order, fillTxHash: undefined })
  wait(order.refundAfter - order.openDeadline + 604_000)
  await pass(1)
  assert.equal(said.length, 1)
  wait(800)
  await pass(300)
  assert.equal(said.length, 1)
})
