import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHEAP, DEAR, FROM, intentOrder, orderIdOf, TO } from '../../../test/test-orders.ts'
import { testAnswer } from '../../../test/test-quotes.ts'
import { baseUnits } from '../../core/amount.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Order } from '../../core/order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { RankedOffer } from '../../core/ranking.ts'
import { intentBinding, saltOf } from '../settlers/quoted-order.ts'
import type { Solver } from '../solver-api/best-offers.ts'
import { createSolverDirectory } from '../solver-api/solver-directory.ts'
import { createSolverNews } from './solver-news.ts'

const [WON, LOST] = [orderIdOf(1), orderIdOf(2)]
const VAULT = 'solana account'

/** An answer of two solvers' quotes and one of a gateway. */
const createWorld = () => {
  const answer = testAnswer(1_000, 5n, 3)
  const [first] = answer
  assert.ok(first)
  const salt = saltOf(first.quoteId, '0'.repeat(32))
  const quoteOf = (index: number, solver: Solver, orderId: OrderId): QuoteRecord => {
    const quote = answer[index]
    assert.ok(quote)
    const order = { ...intentOrder(solver, 5n, 60), salt }
    return { ...quote, backend: 'intent', binding: intentBinding(orderId, order) }
  }
  const quotes = [quoteOf(0, CHEAP, WON), quoteOf(1, DEAR, LOST), ...answer.slice(2)]
  const told: unknown[] = []
  const news = createSolverNews({
    store: { findQuote: async (id) => quotes.find(({ quoteId }) => quoteId === id) },
    directory: createSolverDirectory([CHEAP, DEAR]),
    tell: (solver, message) => told.push([solver, message]),
    log: () => undefined,
  })
  const [taken] = quotes
  assert.ok(taken)
  return { news, taken, told }
}

test('a deposit tells one solver that it won, and the others of the answer that they lost, once', async () => {
  const { news, taken, told } = createWorld()
  await news.deposited(taken)
  await news.deposited(taken)
  assert.deepEqual(told, [
    [CHEAP.address, { type: 'won', orderId: WON }],
    [DEAR.address, { type: 'lost', orderId: LOST }],
  ])
})

test('tells a solver the final events of its orders, and no tentative events and no events of other orders', async () => {
  const { news, taken, told } = createWorld()
  await news.deposited(taken)
  told.length = 0
  const happens = (
    kind: 'filled' | 'proven' | 'released' | 'refunded',
    orderId = WON,
    final = true,
  ): void => {
    const [repayTo, payee] = [CHEAP.address, CHEAP.address]
    // CAST: the news read the kind, the order and the payee of an event only.
    news.onSettlerEvent({ final, event: { kind, orderId, repayTo, payee } as never })
  }
  happens('filled', WON, false)
  happens('filled', LOST)
  for (const kind of ['filled', 'proven', 'released', 'refunded'] as const) happens(kind)
  assert.deepEqual(
    told,
    ['filled', 'proven', 'repaid', 'refunded'].map((type) => [CHEAP.address, { type, orderId: WON }]),
  )
})

test("the fill of another account is not told as the solver's", async () => {
  const { news, taken, told } = createWorld()
  await news.deposited(taken)
  told.length = 0
  const other = DEAR.address
  const event = { orderId: WON, payee: other }
  news.onSettlerEvent({ final: true, event: { kind: 'filled', orderId: WON, filler: other, repayTo: other } })
  news.onSettlerEvent({ final: true, event: { kind: 'proven', ...event } })
  news.onSettlerEvent({ final: true, event: { kind: 'released', ...event, amount: baseUnits(1n) } })
  assert.deepEqual(told, [])
})

test('payouts of a vault are told as repayments and refunds, also to a depositor that is a solver', async () => {
  const { news, taken, told } = createWorld()
  await news.deposited(taken)
  told.length = 0
  const pay = (role: 'deposit' | 'fill' | 'payout', to: string): void =>
    // CAST: the news read the payee of a payment only.
    news.onPayment({ payment: { to } as never, role, final: true, orderId: WON, quote: undefined })
  pay('deposit', VAULT)
  pay('fill', 'recipient')
  pay('payout', CHEAP.address)
  pay('payout', 'depositor')
  pay('payout', DEAR.address)
  assert.deepEqual(
    told,
    ['repaid', 'refunded', 'refunded'].map((type) => [CHEAP.address, { type, orderId: WON }]),
  )
})

test('answered offers are counted by pair and told together, blocks and withdrawn quotes with their end', async () => {
  const { news, told } = createWorld()
  // CAST: the news read the tokens of an order and the solvers of offers only.
  const order = { from: { token: FROM }, to: { token: TO } } as unknown as Order
  const shown = [CHEAP, DEAR].map((solver) => ({ offer: { reliability: { solver } } }))
  const its = { offer: {} }
  for (const answer of [shown, [its, ...shown], [its]])
    news.quoted(order, answer as unknown as readonly RankedOffer[])
  await news.start()
  await news.stop()
  const pair = { fromChain: FROM.chainId, fromToken: FROM.address, toChain: TO.chainId, toToken: TO.address }
  const quoted = (first: number) => ({ type: 'quoted', pairs: [{ ...pair, offers: 2, first }] })
  assert.deepEqual(told, [
    [CHEAP.address, quoted(1)],
    [DEAR.address, quoted(0)],
  ])
  told.length = 0
  const key = `${FROM.chainId} ${FROM.address} ${TO.chainId} ${TO.address}`
  news.blocked(CHEAP.address, key, 1_000)
  news.withdrawn({ solver: DEAR.address, pair: key, until: 2_000 })
  assert.deepEqual(told, [
    [CHEAP.address, { type: 'blocked', ...pair, until: '1970-01-01T00:00:01Z' }],
    [DEAR.address, { type: 'withdrawn', ...pair, until: '1970-01-01T00:00:02Z' }],
  ])
})
