import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { escrowOrderOf } from '../../../test/escrow-orders.ts'
import { testDeposit, testQuote } from '../../../test/test-deposits.ts'
import {
  CHEAP,
  createTestBook,
  DEAR,
  intentOrder,
  inventory,
  orderIdOf as orderIdOfNumber,
  orderOfSender,
  pricedOrder,
  RICH,
  standingQuote,
} from '../../../test/test-orders.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { firstQuoteId, quoteIds } from '../../core/quote-id.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { awaitingDeposit } from '../../core/transfer.ts'
import { orderOfQuote, saltOf } from '../../intents/settlers/quoted-order.ts'
import { orderIdOf } from '../../intents/settlers/settler-contract.ts'
import type { Book } from '../../intents/solver-api/book.ts'
import { createSolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import type { DepositSummary } from '../../intents/vault/deposit-summary.ts'
import type { PaymentIndex } from '../../intents/vault/payment-index.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { createDeposits, type Deposits } from './deposits.ts'

const NOW = 1_800_000_000_000
const OPEN_DEADLINE = 1_800_000_060
/** Where the cheap solver is repaid on Solana. */
const CHEAP_ON_SOLANA = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const TERMS = {
  solvers: [{ ...CHEAP, accounts: { solana: CHEAP_ON_SOLANA } }, DEAR],
  quoteLifetimeSeconds: 60,
  fillWindowSeconds: 600,
  refundDelaySeconds: 1,
  depositGraceSeconds: 5,
}

const directory = mkdtempSync(join(tmpdir(), 'openrfq-'))
let store: Store
before(async () => {
  store = await openSqliteStore({ directory, log: () => undefined })
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const recordOf = (
  quoteId: QuoteRecord['quoteId'],
  backend: QuoteRecord['backend'],
  order: IntentOrder,
): QuoteRecord => ({
  ...testQuote(quoteId, orderIdOf(order), order),
  backend,
  backendName: backend,
  quoteExpiresAt: OPEN_DEADLINE * 1000,
  fulfillmentDeadline: order.fillDeadline * 1000,
  ...(backend === 'intent' ? {} : { binding: {} }),
})

type Quoted = { readonly quote: QuoteRecord; readonly order: IntentOrder; readonly orderId: OrderId }

let answers = 0
/** Saves an answer of three quotes: one of ITS, the cheap solver's intent over 1,000, and the other solver's. */
const saveAnswer = async (): Promise<Quoted> => {
  answers += 1
  const [first, second, third] = quoteIds(firstQuoteId(NOW, BigInt(answers) * 1_000n), 3)
  assert.ok(first && second && third)
  const [cheap, dear] = [CHEAP, DEAR].map((solver, index) => ({
    ...orderOfSender(answers, solver, 1_000n, OPEN_DEADLINE),
    salt: saltOf(first, String(index).repeat(32)),
  }))
  assert.ok(cheap && dear)
  const quote = recordOf(second, 'intent', cheap)
  await store.saveQuotes([recordOf(first, 'its', dear), quote, recordOf(third, 'intent', dear)])
  assert.deepEqual(orderOfQuote(quote), cheap)
  return { quote, order: cheap, orderId: orderIdOf(cheap) }
}

type World = {
  readonly deposits: Deposits
  readonly book: Book
  readonly notices: [orderId: OrderId, final: boolean][]
  readonly followed: [orderId: OrderId, isBacked: boolean][]
  readonly known: string[]
}

type Payments = {
  readonly paymentIndex?: Pick<PaymentIndex, 'lastKnown'>
  readonly isDenied?: (facts: readonly string[]) => boolean
}

/** The deposits of a freshly started service; both solvers quote up to 50,000, and the cheap one has that much left. */
const createWorld = (
  changes: Partial<Pick<Store, 'findQuote' | 'listOpen' | 'listQuotesSince'>> = {},
  { paymentIndex, isDenied = () => false }: Payments = {},
  now: () => number = () => NOW,
): World => {
  const book = createTestBook(() => NOW)
  for (const solver of [CHEAP, DEAR]) {
    const quote = standingQuote([
      [100n, 100n],
      [50_000n, 50_000n],
    ])
    assert.equal(book.upsertQuotes(solver, [quote]), undefined)
    assert.equal(book.setInventory(solver, inventory(solver === CHEAP ? 80_000n : 100n)), undefined)
  }
  book.commit(orderIdOfNumber(1), intentOrder(CHEAP, 30_000n, OPEN_DEADLINE))
  const notices: World['notices'] = []
  const followed: World['followed'] = []
  const known: string[] = []
  const deposits = createDeposits({
    store: { ...store, ...changes },
    book,
    terms: TERMS,
    directory: createSolverDirectory(TERMS.solvers),
    paymentIndex: paymentIndex ?? {
      lastKnown: () => Promise.resolve({ deposits: undefined, fill: undefined }),
    },
    paidFact: ({ chainId, txHash }) => ({ chainId, text: txHash, ask: async () => [] }),
    factCheck: { allows: async (_, facts) => !isDenied(facts.map(({ text }) => text)) },
    notify: (orderId, _, final) => notices.push([orderId, final]),
    follow: ({ orderId }, isBacked) => followed.push([orderId, isBacked]),
    now,
    log: () => undefined,
  })
  deposits.onDeposit(async ({ quoteId }) => {
    known.push(quoteId)
  })
  return { deposits, book, notices, followed, known }
}

/** The cheap solver's unreserved inventory. */
const freeOf = ({ book }: World): bigint => {
  const answer = book.price(pricedOrder('EXACT_OUTPUT', 10n ** 9n), RICH)
  assert.ok('declined' in answer && answer.declined === 'out_of_range')
  return answer.maximum
}

const open = ({ order, orderId }: Quoted, final: boolean) => ({
  event: { kind: 'open' as const, orderId, order },
  chainId: order.originChain,
  final,
  blockNumber: 10n,
})
const filled = ({ order, orderId }: Quoted, final: boolean, filler: string = order.filler) => ({
  event: { kind: 'filled' as const, orderId, filler, repayTo: filler },
  chainId: order.destinationChain,
  final,
  blockNumber: 20n,
})
const refunded = ({ order, orderId }: Quoted, final: boolean) => ({
  event: { kind: 'refunded' as const, orderId, payee: order.depositor, amount: order.inputAmount },
  chainId: order.originChain,
  final,
  blockNumber: 30n,
})

test('a deposit starts its transfer, notifies its solver and commits its inventory', async () => {
  const world = createWorld()
  const quoted = await saveAnswer()
  assert.ok(world.book.reserve(quoted.orderId, quoted.order, RICH))
  assert.equal(freeOf(world), 49_000n)
  for (const final of [false, true, true]) await world.deposits.onSettlerEvent(open(quoted, final))
  assert.deepEqual(world.known, [quoted.quote.quoteId, quoted.quote.quoteId])
  assert.deepEqual(world.notices, [
    [quoted.orderId, false],
    [quoted.orderId, true],
  ])
  assert.equal(freeOf(world), 49_000n)
  await world.deposits.onSettlerEvent(refunded(quoted, false))
  assert.equal(freeOf(world), 49_000n)
  await world.deposits.onSettlerEvent(refunded(quoted, true))
  assert.equal(freeOf(world), 50_000n)
})

test('an order that was never quoted sends no notice and commits nothing', async () => {
  const world = createWorld()
  const { order } = await saveAnswer()
  for (const changed of [
    { ...order, salt: `0x${'77'.repeat(32)}` },
    { ...order, salt: `${order.salt.slice(0, 34)}${'7'.repeat(32)}` },
    { ...order, solver: DEAR.address },
  ]) {
    const orderId = orderIdOf(changed)
    await world.deposits.onSettlerEvent({
      chainId: changed.originChain,
      event: { kind: 'open', orderId, order: changed },
      final: true,
      blockNumber: 1n,
    })
  }
  assert.deepEqual([world.known, world.notices, freeOf(world)], [[], [], 50_000n])
})

test('a filled order stays committed until its solver declares its inventory after the fill', async () => {
  const world = createWorld()
  const quoted = await saveAnswer()
  await world.deposits.onSettlerEvent(open(quoted, false))
  await world.deposits.onSettlerEvent(filled(quoted, true))
  assert.equal(freeOf(world), 49_000n)
  assert.equal(world.book.setInventory(CHEAP, inventory(79_000n, 20)), undefined)
  assert.equal(freeOf(world), 49_000n)
  await world.deposits.onSettlerEvent(open(quoted, true))
  assert.equal(freeOf(world), 49_000n)
  assert.deepEqual(world.notices, [[quoted.orderId, false]])
  world.deposits.resendOpenOrders(CHEAP)
  assert.equal(world.notices.length, 1)
})

test("a final fill by another account frees the solver's inventory", async () => {
  const world = createWorld()
  const quoted = await saveAnswer()
  await world.deposits.onSettlerEvent(open(quoted, true))
  await world.deposits.onSettlerEvent(filled(quoted, false, DEAR.address))
  assert.equal(freeOf(world), 49_000n)
  await world.deposits.onSettlerEvent(filled(quoted, true, DEAR.address))
  assert.equal(freeOf(world), 50_000n)
  world.deposits.resendOpenOrders(CHEAP)
  assert.equal(world.notices.length, 1)
})

for (const [name, changes] of [
  ['that is not final', { final: false }],
  ['on another chain', { chainId: 'eip155:31337' }],
] as const)
  test(`a fill ${name} ends neither the notices nor the reservation of its order`, async () => {
    const world = createWorld()
    const quoted = await saveAnswer()
    await world.deposits.onSettlerEvent(open(quoted, false))
    await world.deposits.onSettlerEvent({ ...filled(quoted, true), ...changes })
    assert.equal(world.book.setInventory(CHEAP, inventory(80_000n, 20)), undefined)
    assert.equal(freeOf(world), 49_000n)
    await world.deposits.onSettlerEvent(open(quoted, true))
    world.deposits.resendOpenOrders(CHEAP)
    assert.deepEqual(
      world.notices,
      [false, true, true].map((final) => [quoted.orderId, final]),
    )
  })

test('a fill that is seen and declared is subtracted once, unless it is on another chain', async () => {
  for (const [chainId, free] of [
    ['eip155:31338', 49_000n],
    ['eip155:31337', 48_000n],
  ] as const) {
    const world = createWorld()
    const quoted = await saveAnswer()
    await world.deposits.onSettlerEvent(open(quoted, false))
    await world.deposits.onSettlerEvent({ ...filled(quoted, false), chainId })
    assert.equal(world.book.setInventory(CHEAP, inventory(79_000n, 20)), undefined)
    assert.equal(freeOf(world), free)
    world.deposits.resendOpenOrders(CHEAP)
    assert.equal(world.notices.length, 2, 'the order is open until its fill is final')
  }
})

test('a restart restores reservations and deposits, and notifies a solver that logs in', async () => {
  const [quoted, deposited] = [await saveAnswer(), await saveAnswer()]
  const { quoteId } = deposited.quote
  const source = { chain: 'eip155:31337', txHash: '0x1', messageId: null, timestamp: '2027-01-15T08:00:30Z' }
  const transfer = { ...awaitingDeposit(quoteId, ''), revision: 1, state: 'PENDING' as const, source }
  assert.ok(await store.saveTransfer(transfer))
  const world = createWorld()
  const countBefore = answers
  await world.deposits.restore()
  assert.equal(freeOf(world), 50_000n - BigInt(countBefore) * 1_000n)
  assert.ok(quoted.orderId !== deposited.orderId)
  world.deposits.resendOpenOrders(DEAR)
  assert.deepEqual(world.notices, [])
  world.deposits.resendOpenOrders({ ...CHEAP, address: CHEAP.address.toLowerCase() })
  assert.deepEqual(world.notices, [[deposited.orderId, false]])
  await world.deposits.onSettlerEvent(open(deposited, true))
  assert.equal(freeOf(world), 50_000n - BigInt(countBefore) * 1_000n)
})

test('a solver that logs in is told of orders that repay it on another family of chains', async () => {
  const world = createWorld()
  const [answer] = quoteIds(firstQuoteId(NOW, 77_000n), 1)
  assert.ok(answer)
  const { order } = escrowOrderOf('SOL', { salt: saltOf(answer, 'a'.repeat(32)), solver: CHEAP_ON_SOLANA })
  const orderId = orderIdOf(order)
  await store.saveQuotes([recordOf(answer, 'intent', order)])
  await world.deposits.onEscrowChange({ orderId, order, change: 'open' })
  world.deposits.resendOpenOrders(DEAR)
  assert.deepEqual(world.notices, [[orderId, true]])
  world.deposits.resendOpenOrders(CHEAP)
  assert.deepEqual(world.notices, [
    [orderId, true],
    [orderId, true],
  ])
})

test('a solver that was away is told of an attested order for a week after its fill deadline, of others for an hour', async () => {
  const HOUR_MS = 3_600_000
  let now = NOW
  const world = createWorld({}, {}, () => now)
  const [answer] = quoteIds(firstQuoteId(NOW, 78_000n), 1)
  assert.ok(answer)
  const part = {
    salt: saltOf(answer, 'a'.repeat(32)),
    solver: CHEAP_ON_SOLANA,
    refundAfter: OPEN_DEADLINE + 601,
  }
  const { order } = escrowOrderOf('SOL', { ...part, fillDeadline: OPEN_DEADLINE + 600 })
  const attested = orderIdOf(order)
  await store.saveQuotes([recordOf(answer, 'intent', order)])
  await world.deposits.onEscrowChange({ orderId: attested, order, change: 'open' })
  const proven = await saveAnswer()
  await world.deposits.onSettlerEvent(open(proven, true))
  const told = (at: number): readonly OrderId[] => {
    now = at
    world.notices.length = 0
    world.deposits.resendOpenOrders(CHEAP)
    return world.notices.map(([orderId]) => orderId)
  }
  const deadline = order.fillDeadline * 1000
  assert.deepEqual(told(NOW), [attested, proven.orderId])
  assert.deepEqual(told(deadline + 2 * HOUR_MS), [attested])
  assert.deepEqual(told(deadline + 167 * HOUR_MS), [attested])
  assert.deepEqual(told(deadline + 169 * HOUR_MS), [])
})

test('an order of the escrow program is notified when it is seen and when it is final, and released when refunded', async () => {
  const world = createWorld()
  const { quote, order, orderId } = await saveAnswer()
  assert.ok(world.book.reserve(orderId, order, RICH))
  for (const change of ['seen', 'open', 'open'] as const)
    await world.deposits.onEscrowChange({ orderId, order, change })
  assert.deepEqual(world.known, [quote.quoteId, quote.quoteId])
  assert.deepEqual(world.notices, [
    [orderId, false],
    [orderId, true],
  ])
  assert.equal(freeOf(world), 49_000n)
  await world.deposits.onEscrowChange({ orderId, order, change: 'released' })
  assert.equal(freeOf(world), 49_000n)
  await world.deposits.onEscrowChange({ orderId, order, change: 'refunded' })
  assert.equal(freeOf(world), 50_000n)
})

test('a restart follows stored quotes, and first those with a deposit', async () => {
  const { quote, orderId } = await saveAnswer()
  await store.saveTransfer({ ...awaitingDeposit(quote.quoteId, ''), revision: 1, state: 'PENDING' })
  const world = createWorld()
  await world.deposits.restore()
  assert.deepEqual(
    world.followed.filter(([followed]) => followed === orderId),
    [
      [orderId, false],
      [orderId, true],
    ],
  )
})

test('retries a store that fails for a while', async () => {
  let failures = 3
  const world = createWorld({
    findQuote: (quoteId) => {
      failures -= 1
      return failures < 0 ? store.findQuote(quoteId) : Promise.reject(new Error('the disk is busy'))
    },
  })
  const quoted = await saveAnswer()
  await world.deposits.onSettlerEvent(open(quoted, true))
  assert.deepEqual(world.known, [quoted.quote.quoteId])
})

const PARTIAL: DepositSummary = {
  state: 'partial',
  credited: 10n,
  source: testDeposit(1),
  creditedFrom: [testDeposit(1)],
  completedBy: undefined,
  returns: [],
  held: [],
  isOver: false,
}

test('a part of a deposit commits nothing and is no deposit for the solver, also after a restart', async () => {
  const quoted = await saveAnswer()
  const { quote, orderId } = quoted
  const deposits = { final: PARTIAL, seen: PARTIAL }
  const payments = { paymentIndex: { lastKnown: async () => ({ deposits, fill: undefined }) } }
  const world = createWorld({ listQuotesSince: async () => [] }, payments)
  const complete: string[] = []
  world.deposits.onComplete(async ({ quoteId }) => {
    complete.push(quoteId)
  })
  for (const final of [false, true])
    await world.deposits.onPayment({ payment: testDeposit(1), role: 'deposit', final, orderId, quote })
  assert.deepEqual(world.known, [quote.quoteId, quote.quoteId])
  assert.deepEqual([complete, world.notices, freeOf(world)], [[], [], 50_000n])

  const source = { chain: 'eip155:31337', txHash: '1', messageId: null, timestamp: '2027-01-15T08:00:30Z' }
  const pending = { ...awaitingDeposit(quote.quoteId, ''), revision: 1, state: 'PENDING' as const, source }
  const next = createWorld({ listQuotesSince: async () => [], listOpen: async () => [pending] }, payments)
  await next.deposits.restore()
  next.deposits.resendOpenOrders(CHEAP)
  assert.deepEqual([next.notices, freeOf(next)], [[], 50_000n])
})

test('a deposit that an endpoint denies is not final for the solver until none denies it', async () => {
  const quoted = await saveAnswer()
  const { quote, orderId } = quoted
  const payment = testDeposit(1)
  const summary: DepositSummary = {
    state: 'complete',
    credited: quoted.order.inputAmount,
    source: undefined,
    creditedFrom: [payment],
    completedBy: undefined,
    returns: [],
    held: [],
    isOver: false,
  }
  let isDenied = true
  const deposits = { final: summary, seen: summary }
  const world = createWorld(
    {},
    {
      paymentIndex: { lastKnown: async () => ({ deposits, fill: undefined }) },
      isDenied: (facts) => {
        assert.deepEqual(facts, [payment.txHash])
        return isDenied
      },
    },
  )
  await world.deposits.onPayment({ payment, role: 'deposit', final: true, orderId, quote })
  await world.deposits.round()
  assert.deepEqual(world.notices, [[orderId, false]])
  isDenied = false
  await world.deposits.round()
  assert.deepEqual(world.notices, [
    [orderId, false],
    [orderId, true],
  ])
  await world.deposits.round()
  assert.equal(world.notices.length, 2)
})
