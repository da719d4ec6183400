import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHEAP, clockAt, intentOrder, orderIdOf } from '../../../test/test-orders.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { OrderBatch, StoredTransaction } from '../../store/store.ts'
import type { TransactionState } from './decision.ts'
import { batchesOf, createOrderBatches, type WaitingOrder } from './order-batches.ts'

const ORDER = intentOrder(CHEAP, 1n, 1_800_000_000)
const waiting = (id: number, part: Partial<WaitingOrder> = {}): WaitingOrder => ({
  orderId: orderIdOf(id),
  order: ORDER,
  since: 0,
  ...part,
})

const RULES = {
  groupOf: ({ originChain }: { readonly originChain: string }) => originChain,
  sizeIn: () => 4,
  waitMs: 1_000,
  patienceMs: 1_000,
  pays: () => true,
}

test('sends a full batch at once, and a smaller one after its wait', () => {
  const orders = [1, 2, 3, 4, 5].map((id) => ({ ...waiting(id, { since: 500 }), round: 0 }))
  const sizesAt = (now: number) => batchesOf(orders, RULES, now).map((batch) => batch.orders.length)
  assert.deepEqual(sizesAt(600), [4])
  assert.deepEqual(sizesAt(1_500), [4, 1])
})

test('a batch that does not pay waits for more orders, until it pays, is full or has waited long enough', () => {
  const rules = { ...RULES, patienceMs: 60_000, pays: (orders: readonly unknown[]) => orders.length >= 3 }
  const sizesAt = (now: number, count: number) => {
    const orders = Array.from({ length: count }, (_, id) => ({ ...waiting(id), round: 0 }))
    return batchesOf(orders, rules, now).map((batch) => batch.orders.length)
  }
  assert.deepEqual(sizesAt(1_000, 2), [])
  assert.deepEqual(sizesAt(999, 3), [])
  assert.deepEqual(sizesAt(1_000, 3), [3])
  assert.deepEqual(sizesAt(0, 4), [4])
  assert.deepEqual(sizesAt(59_999, 1), [])
  assert.deepEqual(sizesAt(60_000, 1), [1])
})

test('every waiting order is in exactly one batch, of one group and round, within the size limit', () => {
  const chain = fc.constantFrom('eip155:1', 'eip155:2', 'eip155:3')
  const shape = fc.record({ originChain: chain, round: fc.integer({ min: 0, max: 2 }) })
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 100 }), (shapes) => {
      const orders = shapes.map(({ originChain, round }, id) => ({
        ...waiting(id, { order: { ...ORDER, originChain } }),
        round,
      }))
      const batches = batchesOf(orders, RULES, 10 ** 6)
      const idsOf = (some: readonly WaitingOrder[]) => some.map(({ orderId }) => orderId).toSorted()
      assert.deepEqual(idsOf(batches.flatMap((batch) => batch.orders)), idsOf(orders))
      const roundOf = new Map(orders.map(({ orderId, round }) => [orderId, round]))
      for (const { orders: some, round } of batches) {
        assert.ok(some.length <= 4)
        assert.equal(new Set(some.map(({ order }) => order.originChain)).size, 1)
        assert.ok(some.every(({ orderId }) => roundOf.get(orderId) === round))
      }
    }),
  )
})

const nothing = async (): Promise<void> => undefined

/** A sender of batches whose store outlives it. */
const createWorld = () => {
  const clock = clockAt(0)
  const stored = new Map<OrderId, OrderBatch>()
  const outcomes = new Map<string, TransactionState>()
  const sent: string[] = []
  const over = new Set<OrderId>()
  let mayFail = false
  const submit = async ({ key }: { readonly key: string }): Promise<StoredTransaction> => {
    if (mayFail) throw new Error('no answer')
    if (outcomes.get(key) === undefined) sent.push(key)
    outcomes.set(key, 'open')
    // CAST: only the key is read.
    return { key } as StoredTransaction
  }
  const failures: unknown[] = []
  const start = () =>
    createOrderBatches(
      {
        outboxes: new Map([
          [
            ORDER.originChain,
            { sender: '0x', submit, round: nothing, start: () => undefined, stop: nothing },
          ],
        ]),
        store: {
          findBatch: async (_, orderId) => stored.get(orderId),
          addToBatch: async (_, orderId, batch) => void stored.set(orderId, batch),
        },
        states: {
          lookUpTransaction: async (key) => outcomes.get(key) ?? 'none',
          note: () => undefined,
        },
        now: clock.now,
      },
      {
        ...RULES,
        purpose: 'prove',
        chainOf: ({ originChain }) => originChain,
        repeatMs: () => 60_000,
        overOf: async () => over,
        callOf: async () => ({ to: '0x', data: '0x', value: 0n, gasLimit: 1n }),
        onSigned: () => undefined,
        onFailed: (error) => failures.push(error),
      },
    )
  return {
    start,
    sent,
    failures,
    over,
    clock,
    end: (outcome: TransactionState) => {
      for (const key of sent) outcomes.set(key, outcome)
    },
    fail: (next: boolean) => {
      mayFail = next
    },
  }
}

test('an order is in one transaction at a time, also after a restart and among other orders', async () => {
  const world = createWorld()
  world.clock.set(10_000)
  await world.start()([waiting(1)])
  assert.equal(world.sent.length, 1)
  const restarted = world.start()
  await restarted([waiting(1), waiting(2)])
  assert.equal(world.sent.length, 2)
  await restarted([waiting(1), waiting(2)])
  assert.equal(world.sent.length, 2)
})

test('an order that succeeded without an effect is sent again after a while, in the next round', async () => {
  const world = createWorld()
  world.clock.set(10_000)
  const round = world.start()
  await round([waiting(1)])
  world.end('succeeded')
  await round([waiting(1)])
  world.clock.set(69_999)
  await round([waiting(1)])
  assert.equal(world.sent.length, 1)
  world.clock.set(70_000)
  await round([waiting(1)])
  assert.match(world.sent[1] ?? '', /^prove:1:/)
})

test('an order whose transactions revert is sent again after growing pauses, and given up in the end', async () => {
  const world = createWorld()
  const round = world.start()
  for (let time = 10_000; time < 10 ** 9; time += 600_000) {
    world.clock.set(time)
    await round([waiting(1)])
    world.end('reverted')
  }
  assert.equal(world.sent.length, 32)
})

test('a round whose size is smaller splits what reverted', () => {
  const rules = { ...RULES, sizeIn: (round: number) => 4 >> round }
  const orders = [0, 1, 2, 3].map((id) => ({ ...waiting(id), round: 1 }))
  assert.deepEqual(
    batchesOf(orders, rules, 10_000).map((batch) => batch.orders.length),
    [2, 2],
  )
})

test('an order that is over stays out of the transaction of the others, and is looked at again later', async () => {
  const world = createWorld()
  world.clock.set(10_000)
  const round = world.start()
  world.over.add(orderIdOf(1))
  await round([waiting(1)])
  assert.equal(world.sent.length, 0)
  await round([waiting(1), waiting(2)])
  assert.equal(world.sent.length, 1)
  world.over.delete(orderIdOf(1))
  await round([waiting(1)])
  assert.equal(world.sent.length, 1)
  world.clock.set(40_000)
  await round([waiting(1)])
  assert.equal(world.sent.length, 2)
})

test('a failed submission is repeated at once', async () => {
  const world = createWorld()
  world.clock.set(10_000)
  const round = world.start()
  world.fail(true)
  await round([waiting(1)])
  assert.equal(world.failures.length, 1)
  world.fail(false)
  await round([waiting(1), waiting(2)])
  assert.equal(world.sent.length, 1)
})
