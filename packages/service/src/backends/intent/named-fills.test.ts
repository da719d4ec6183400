import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { escrowOrderOf } from '../../../test/escrow-orders.ts'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { testQuote } from '../../../test/test-deposits.ts'
import { createTestPaymentChain } from '../../../test/test-payment-chain.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import { saltOf } from '../../intents/settlers/quoted-order.ts'
import { orderIdOf } from '../../intents/settlers/settler-contract.ts'
import { createSolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import { createPaymentIndex } from '../../intents/vault/payment-index.ts'
import { createNamedFills } from './named-fills.ts'

const STELLAR = 'stellar:named-fills'
const SECONDS = 1_800_000_000
const G = (seed: number): string => strKeyText('G', new Uint8Array(32).fill(seed))
const TOKEN = strKeyText('C', new Uint8Array(32).fill(9))
const OWN = escrowOrderOf('SOL').order.solver
const SOLVERS = [
  {
    name: 'One',
    address: '0x00000000000000000000000000000000000000A1',
    accounts: { solana: OWN, stellar: G(1) },
  },
  { name: 'Two', address: '0x00000000000000000000000000000000000000A2', accounts: { stellar: G(2) } },
]

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

let orders = 0
let world: Awaited<ReturnType<typeof open>>
beforeEach(async () => {
  world = await open()
})

/** A service's side of named fills over a chain of the test, and an order that it quoted. */
const open = async () => {
  const store = files.store()
  const paymentChain = createTestPaymentChain({
    chainId: STELLAR,
    chainType: 'stellar',
    startSeconds: SECONDS,
  })
  paymentChain.advance(5)
  let reads = 0
  const chain: typeof paymentChain.chain = {
    ...paymentChain.chain,
    paymentsIn: (named) => {
      reads += 1
      return paymentChain.chain.paymentsIn(named)
    },
    readPayments: () => assert.fail('the history of an account is read'),
  }
  const paymentIndex = createPaymentIndex({
    vaults: [],
    paymentChains: new Map([[STELLAR, chain]]),
    terms: { depositGraceSeconds: 5 },
    store,
    now: () => SECONDS * 1000,
    log: () => undefined,
  })
  const directory = createSolverDirectory(SOLVERS)
  const told: string[] = []
  const lines: string[] = []
  const heard: OrderId[] = []
  paymentIndex.onEvent(({ role, final, orderId }) => {
    if (role === 'fill' && final && orderId !== undefined) heard.push(orderId)
  })
  const take = createNamedFills({
    store,
    directory,
    paymentIndex,
    tell: (solver, news) => told.push(`${solver} ${news.type}`),
    log: (_, event) => lines.push(event),
  })
  const quote = async (part: Partial<IntentOrder> = {}) => {
    orders += 1
    const quoteId = firstQuoteId(SECONDS * 1000, BigInt(orders) << 8n)
    const { order } = escrowOrderOf('SOL', {
      salt: saltOf(quoteId, '5a'.repeat(16)),
      destinationChain: STELLAR,
      destinationSettler: G(4),
      openDeadline: SECONDS + 60,
      fillDeadline: SECONDS + 600,
      refundAfter: SECONDS + 3_600,
      outputToken: TOKEN,
      outputAmount: baseUnits(900n),
      recipient: G(3),
      filler: G(1),
      ...part,
    })
    const orderId = orderIdOf(order)
    await store.saveQuotes([testQuote(quoteId, orderId, order)])
    return { order, orderId }
  }
  const [solver, other] = directory.all
  assert.ok(solver && other)
  const pay = (orderId: OrderId, part: object = {}): string => {
    const payment = { from: G(1), to: G(3), token: TOKEN, amount: 900n, memo: orderId, ...part }
    const transaction = paymentChain.pay(payment)
    paymentChain.advance(5)
    return transaction
  }
  const stored = async (orderId: OrderId) => (await store.findPayments(orderId)).map(({ role }) => role)
  return {
    paymentChain,
    paymentIndex,
    take,
    quote,
    pay,
    stored,
    solver,
    other,
    told,
    lines,
    heard,
    reads: () => reads,
  }
}

test('a fill that its solver names is stored, and its solver is told, as often as it asks', async () => {
  const { order, orderId } = await world.quote()
  const transaction = world.pay(orderId)
  const { solver } = world
  await world.take({ solver, order, transaction })
  assert.deepEqual(await world.stored(orderId), ['fill'])
  assert.equal(await world.paymentIndex.fillOf(orderId, order), 'filled')
  await world.take({ solver, order, transaction })
  assert.deepEqual(world.told, Array(2).fill(`${solver.address} filled`))
  assert.deepEqual([world.reads(), world.heard, world.lines], [1, [orderId, orderId], []])
})

test('a fill that is not final is not announced, and is accepted once it is final', async () => {
  const { order, orderId } = await world.quote()
  const { solver, paymentChain } = world
  const transaction = paymentChain.pay({ from: G(1), to: G(3), token: TOKEN, amount: 900n, memo: orderId })
  await world.take({ solver, order, transaction })
  assert.deepEqual([world.told, await world.stored(orderId)], [[], []])
  paymentChain.advance(5)
  await world.take({ solver, order, transaction })
  assert.equal(world.told.length, 1)
})

test('refuses every payment that is not the fill of the named order', async () => {
  const { order, orderId } = await world.quote()
  const another = await world.quote()
  const lies = [
    world.pay(another.orderId),
    world.pay(orderId, { amount: 899n }),
    world.pay(orderId, { amount: 901n }),
    world.pay(orderId, { to: G(5) }),
    world.pay(orderId, { from: G(2) }),
    world.pay(orderId, { muxedId: 1n }),
    world.pay(orderId, { memo: undefined }),
    world.pay(orderId, { token: strKeyText('C', new Uint8Array(32).fill(8)) }),
  ]
  for (const transaction of lies) await world.take({ solver: world.solver, order, transaction })
  world.paymentChain.advance(601)
  await world.take({ solver: world.solver, order, transaction: world.pay(orderId) })
  assert.deepEqual([world.told, world.heard, await world.stored(orderId)], [[], [], []])
  assert.equal(await world.paymentIndex.fillOf(orderId, order), 'impossible')
})

test('an order of another solver, or one that was not quoted, causes no read', async () => {
  const { order, orderId } = await world.quote()
  const transaction = world.pay(orderId)
  await world.take({ solver: world.other, order, transaction })
  await world.take({ solver: world.solver, order: { ...order, filler: G(2) }, transaction })
  await world.take({ solver: world.solver, order: { ...order, outputAmount: baseUnits(1n) }, transaction })
  await world.take({ solver: world.solver, order: { ...order, recipient: 'nobody' }, transaction })
  await world.take({ solver: world.solver, order: { ...order, destinationChain: 'eip155:1' }, transaction })
  assert.deepEqual([world.reads(), world.told], [0, []])
})

test('one solver has sixteen transactions read at the same time, and takes no place of another', async () => {
  const { order } = await world.quote()
  const theirs = await world.quote({
    solver: G(2),
    filler: G(2),
    depositor: G(6),
    originChain: 'stellar:other',
    originSettler: G(7),
    inputToken: TOKEN,
  })
  const { solver, other } = world
  const named = Array.from({ length: 40 }, (_, index) =>
    world.take({ solver, order, transaction: `unknown ${index}` }),
  )
  const filled = world.pay(theirs.orderId, { from: G(2) })
  await Promise.all([...named, world.take({ solver: other, order: theirs.order, transaction: filled })])
  assert.equal(world.reads(), 17)
  await world.take({ solver, order, transaction: 'unknown' })
  assert.equal(world.reads(), 18)
})
