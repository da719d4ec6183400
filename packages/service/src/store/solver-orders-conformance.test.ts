import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { describeEveryStore } from '../../test/every-store.ts'
import { baseUnits } from '../core/amount.ts'
import { firstQuoteId } from '../core/quote-id.ts'
import type { SolverOrder } from '../core/solver-order.ts'
import type { Store } from './store.ts'

const NOW = 1_790_000_000_000

const solverOrder = (): SolverOrder => ({
  orderId: `0x${randomBytes(32).toString('hex')}`,
  quoteId: firstQuoteId(NOW, 5n),
  solver: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  pair: 'eip155:1 0x00 solana:x y',
  depositor: 'depositor',
  input: baseUnits((1n << 256n) - 1n),
  quotedAt: NOW,
})

const openOrders = async (store: Store): Promise<readonly SolverOrder[]> => {
  const found: SolverOrder[] = []
  for (;;) {
    const page = await store.listOpenSolverOrders(2, found.at(-1)?.orderId)
    found.push(...page)
    if (page.length < 2) return found
  }
}

/** What every store keeps of the orders of solvers. */
const conformance = (open: () => Promise<Store>): void => {
  let store: Store
  before(async () => {
    store = await open()
  })
  after(() => store.close())
  const reopen = async (): Promise<void> => {
    await store.close()
    store = await open()
  }

  test('lists open orders by id with every field, also after reopening, until they end', async () => {
    const orders = Array.from({ length: 5 }, solverOrder).sort((one, other) =>
      one.orderId < other.orderId ? -1 : 1,
    )
    for (const order of orders) await store.addSolverOrder(order)
    await reopen()
    assert.deepEqual(await openOrders(store), orders)
    for (const { orderId } of orders)
      await store.endSolverOrder(orderId, { outcome: 'filled', endedAt: NOW, fillSeconds: 7 })
    assert.deepEqual(await openOrders(store), [])
  })

  test('the first end of an order is kept, and storing it again opens nothing', async () => {
    const order = solverOrder()
    const end = { outcome: 'late', endedAt: NOW + 1_000_000, fillSeconds: 9 } as const
    assert.equal(await store.endSolverOrder(order.orderId, end), false)
    assert.equal(await store.addSolverOrder(order), true)
    assert.equal(await store.addSolverOrder(order), false)
    assert.equal(await store.endSolverOrder(order.orderId, end), true)
    assert.equal(await store.endSolverOrder(order.orderId, { ...end, outcome: 'faded' }), false)
    assert.equal(await store.addSolverOrder(order), false)
    await reopen()
    assert.deepEqual(await openOrders(store), [])
    assert.deepEqual(await store.listEndedSolverOrders(end.endedAt, 9), [{ ...order, ...end }])
  })

  test('lists ended orders from an instant on, by end, page by page', async () => {
    const since = NOW + 9_000_000
    const orders = Array.from({ length: 4 }, solverOrder)
    for (const [index, order] of orders.entries()) {
      await store.addSolverOrder(order)
      const endedAt = since + index - 1
      await store.endSolverOrder(order.orderId, { outcome: 'declined', endedAt, fillSeconds: undefined })
    }
    const first = await store.listEndedSolverOrders(since, 2)
    assert.deepEqual(
      first.map(({ orderId }) => orderId),
      orders.slice(1, 3).map(({ orderId }) => orderId),
    )
    const [last] = await store.listEndedSolverOrders(since, 2, first.at(-1))
    assert.deepEqual(last, {
      ...orders.at(-1),
      outcome: 'declined',
      endedAt: since + 2,
      fillSeconds: undefined,
    })
  })
}

describeEveryStore(conformance)
