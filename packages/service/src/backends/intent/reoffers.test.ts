import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHEAP, clockAt, DEAR, intentOrder, orderIdOf } from '../../../test/test-orders.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { OrderEvents } from '../../intents/settlers/order-events.ts'
import { createSolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import { createReoffers } from './reoffers.ts'

const OPEN_DEADLINE = 1_800_000_000
const EXCLUSIVE_UNTIL = OPEN_DEADLINE + 300
const FILL_DEADLINE = OPEN_DEADLINE + 600
const NOTHING: OrderEvents = {
  open: undefined,
  filled: undefined,
  proven: undefined,
  released: undefined,
  refunded: undefined,
}

const STRANGER_SOLVER = `0x${'5'.repeat(40)}`
const ORDER = intentOrder(CHEAP, 1n, OPEN_DEADLINE)

/** A service with one open order of the cheap solver, to which both are connected. */
const startWorld = ({
  order = ORDER,
  count = 1,
  events = NOTHING,
  orders = Array<IntentOrder>(count).fill(order),
} = {}) => {
  const clock = clockAt(0)
  const told: (readonly [string, string])[] = []
  const offered: string[] = []
  const { round, loggedIn } = createReoffers({
    deposits: {
      open: () => orders.map((one, number) => ({ orderId: orderIdOf(number + 1), order: one, final: true })),
    },
    orders: { lastKnown: async () => events },
    directory: createSolverDirectory([CHEAP, DEAR]),
    solvers: {
      present: () => [CHEAP, DEAR],
      tell: (solver, message) => {
        told.push([solver, message.type])
        if (message.type === 'reoffered') offered.push(message.orderId)
      },
    },
    now: clock.now,
    log: () => undefined,
  })
  /** What a round at the second tells. */
  const at = async (second: number): Promise<readonly (readonly [string, string])[]> => {
    clock.set(second * 1_000)
    await round()
    return told.splice(0)
  }
  return { at, loggedIn, offered }
}

test('an order is offered to the other solvers once, from five seconds before they may fill it', async () => {
  const { at } = startWorld()
  assert.deepEqual(await at(EXCLUSIVE_UNTIL - 6), [])
  assert.deepEqual(await at(EXCLUSIVE_UNTIL - 5), [[DEAR.address, 'reoffered']])
  assert.deepEqual(await at(EXCLUSIVE_UNTIL + 60), [])
})

test('a solver that logs in is offered what it missed, until the fill deadline', async () => {
  const { at, loggedIn } = startWorld()
  assert.equal((await at(EXCLUSIVE_UNTIL)).length, 1)
  loggedIn(DEAR)
  assert.equal((await at(FILL_DEADLINE - 1)).length, 1)
  loggedIn(DEAR)
  assert.deepEqual(await at(FILL_DEADLINE), [])
})

test('an order that is filled, proven, released or refunded, if only tentatively, is not offered', async () => {
  const mark = {
    chainId: 'eip155:1',
    txHash: orderIdOf(1),
    position: 0,
    blockNumber: 1n,
    timestampSeconds: 1,
    final: false,
  }
  const orderId = orderIdOf(1)
  const payout = { orderId, payee: DEAR.address, amount: ORDER.inputAmount }
  const ends: readonly Partial<OrderEvents>[] = [
    { filled: { ...mark, event: { kind: 'filled', orderId, filler: DEAR.address, repayTo: DEAR.address } } },
    { refunded: { ...mark, event: { kind: 'refunded', ...payout } } },
  ]
  for (const end of ends) {
    const { at } = startWorld({ events: { ...NOTHING, ...end } })
    assert.deepEqual(await at(EXCLUSIVE_UNTIL), [])
  }
})

test('an attested order is never offered, because its filler alone may fill it', async () => {
  const { proven: _, ...rest } = ORDER
  const order: IntentOrder = { ...rest, attester: DEAR.address }
  assert.deepEqual(await startWorld({ order }).at(EXCLUSIVE_UNTIL), [])
})

test('a flood of orders is offered twenty a round, so that no offer is lost', async () => {
  const { at } = startWorld({ count: 50 })
  const counts = []
  for (let round = 0; round < 4; round += 1) counts.push((await at(EXCLUSIVE_UNTIL)).length)
  assert.deepEqual(counts, [20, 20, 10, 0])
})

test('the orders of a stranger delay no order of another depositor, nor those of its solver one of another solver', async () => {
  const STRANGER = DEAR.address
  const flood = (part: Partial<IntentOrder>) =>
    Array.from({ length: 200 }, (_, number) => ({
      ...ORDER,
      depositor: `0x${(number + 1).toString(16).padStart(40, '0')}`,
      ...part,
    }))
  for (const orders of [
    [...flood({ depositor: STRANGER }), ORDER],
    // Two hundred accounts, all served by a solver that fills nothing.
    [...flood({ solver: STRANGER_SOLVER }), ORDER],
  ]) {
    const { at, offered } = startWorld({ orders })
    await at(EXCLUSIVE_UNTIL)
    assert.ok(offered.includes(orderIdOf(orders.length)), 'the other’s order is offered in the first round')
  }
})
