import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escrowOrderOf } from '../../../test/escrow-orders.ts'
import type { PaymentChainHead } from '../../chains/payment-chain.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { createEscrowWatch } from './escrow-watch.ts'

const DEADLINE = 1_000
const { order } = escrowOrderOf('SOL', { openDeadline: DEADLINE })
const idOf = (number: number): OrderId => `0x${number.toString(16).padStart(64, '0')}`
const FOLLOWED = { orderId: idOf(1), order }

type Status = 'missing' | 'open' | 'released' | 'refunded'

const world = () => {
  const changes: string[] = []
  const asked: OrderId[] = []
  const state: { seen: Status; final: Status | 'unclear'; seconds: number; time: number; fails: boolean } = {
    seen: 'missing',
    final: 'missing',
    seconds: DEADLINE - 60,
    time: 0,
    fails: false,
  }
  const told = (orderId: OrderId, status: Status) =>
    status === 'missing' ? ({ status } as const) : { status, orderId, payer: 'payer' }
  const head = (): PaymentChainHead => ({
    number: 100n,
    timestampSeconds: state.seconds,
    finalNumber: 90n,
    finalTimestampSeconds: state.seconds,
    paymentFee: 5_000n,
  })
  const watch = createEscrowWatch({
    chain: { chainId: 'solana:test', head },
    reader: {
      seen: async (ids) => {
        asked.push(...ids)
        return new Map(state.seen === 'missing' ? [] : ids.map((id) => [id, told(id, state.seen)]))
      },
      agreed: async (ids) => {
        const { final } = state
        return new Map(final === 'unclear' ? [] : ids.map((id) => [id, told(id, final)]))
      },
    },
    onChange: async (_, change) => {
      if (state.fails) throw new Error('the listener failed')
      changes.push(change)
    },
    now: () => state.time,
  })
  return { watch, state, changes, asked }
}

test('tells once that an order is seen, open in a final block, and ended', async () => {
  const { watch, state, changes } = world()
  watch.follow(FOLLOWED, true)
  await watch.round()
  state.seen = 'open'
  await watch.round()
  await watch.round()
  state.final = 'unclear'
  await watch.round()
  state.final = 'open'
  await watch.round()
  watch.follow(FOLLOWED, true)
  await watch.round()
  state.final = 'released'
  await watch.round()
  await watch.round()
  assert.deepEqual(changes, ['seen', 'open', 'released'])
})

test('an open order whose account is missing is closed only after its deadline', async () => {
  const { watch, state, changes } = world()
  watch.follow(FOLLOWED, true)
  state.seen = 'open'
  state.final = 'open'
  await watch.round()
  state.final = 'missing'
  await watch.round()
  assert.deepEqual(changes, ['seen', 'open'])
  state.seconds = DEADLINE + 31
  await watch.round()
  assert.deepEqual(changes, ['seen', 'open', 'closed'])
})

test('an order is forgotten only when a quorum misses it in a final block after its deadline', async () => {
  const { watch, state, changes } = world()
  watch.follow(FOLLOWED, true)
  state.seconds = DEADLINE + 31
  state.final = 'unclear'
  await watch.round()
  state.seen = 'open'
  state.final = 'open'
  await watch.round()
  assert.deepEqual(changes, ['seen', 'open'])
  const other = world()
  other.watch.follow(FOLLOWED, true)
  other.state.seconds = DEADLINE + 31
  await other.watch.round()
  other.state.seen = 'open'
  await other.watch.round()
  assert.deepEqual(other.changes, [])
})

test('a change whose listener failed is told again', async () => {
  const { watch, state, changes } = world()
  watch.follow(FOLLOWED, true)
  state.seen = 'open'
  state.fails = true
  await assert.rejects(watch.round())
  state.fails = false
  await watch.round()
  assert.deepEqual(changes, ['seen'])
})

test('a flood of quotes for depositors without the input takes no turn from one that holds it', async () => {
  const { watch, asked } = world()
  for (let number = 100; number < 30_000; number += 1) watch.follow({ orderId: idOf(number), order }, false)
  watch.follow(FOLLOWED, true)
  await watch.round()
  assert.equal(asked.length, 201)
  assert.ok(asked.includes(FOLLOWED.orderId))
})

test('of too many orders the newest are followed, each within fifty rounds', async () => {
  const { watch, asked } = world()
  for (let number = 1; number <= 12_000; number += 1) watch.follow({ orderId: idOf(number), order }, false)
  for (let round = 0; round < 50; round += 1) await watch.round()
  assert.equal(new Set(asked).size, 10_000)
  assert.ok(asked.includes(idOf(12_000)) && !asked.includes(idOf(2_000)))
})

test('quotes need a round of the last 15 seconds', async () => {
  const { watch, state } = world()
  assert.equal(watch.isCurrent(), false)
  await watch.round()
  assert.equal(watch.isCurrent(), true)
  state.time = 15_001
  assert.equal(watch.isCurrent(), false)
})
