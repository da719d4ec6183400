import { type IntentOrder, OrderId } from '../src/core/intent-order.ts'
import { firstQuoteId } from '../src/core/quote-id.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'
import { depositMuxedId } from '../src/intents/settlers/deposit-reference.ts'
import { orderIdOfQuote, orderOfQuote, saltOf } from '../src/intents/settlers/quoted-order.ts'
import { createEarlierPayouts } from '../src/intents/vault/earlier-payouts.ts'
import { createOrderFacts } from '../src/intents/vault/order-facts.ts'
import { createPaymentIndex, type PaymentIndex } from '../src/intents/vault/payment-index.ts'
import { createRenewals } from '../src/intents/vault/renewals.ts'
import { createVaultGuard } from '../src/intents/vault/vault-guard.ts'
import { createVaultOperator } from '../src/intents/vault/vault-operator.ts'
import { createHeldDeposits } from '../src/service/held-deposits.ts'
import type { Store, StoredPayment } from '../src/store/store.ts'
import { createFactCheck } from '../src/transactions/fact-check.ts'
import { createPayoutOutbox } from '../src/transactions/payout-outbox.ts'
import {
  START_SECONDS,
  TERMS,
  testOrder,
  testOrderId,
  testQuote,
  testUnmatchedTermsOf,
} from './test-deposits.ts'
import { createTestPaymentChain, type TestPayment, testSecretOf } from './test-payment-chain.ts'

let worlds = 0
let orders = 0

type TestPaymentChain = ReturnType<typeof createTestPaymentChain>
type Shared = { readonly now: () => number; readonly log: (level: string, message: string) => void }

/** Names the fills on a chain as their solver does, until the service knows them. */
const createNaming = (
  { nameFill }: Pick<PaymentIndex, 'nameFill'>,
  store: Pick<Store, 'listQuotesSince'>,
  { landed, invented }: TestPaymentChain,
) => {
  const known = new Set<OrderId>()
  return async (): Promise<void> => {
    for (const { from, memo, txHash } of [...landed(), ...invented()]) {
      const orderId = OrderId.safeParse(memo).data
      if (from !== 'filler' || orderId === undefined || known.has(orderId)) continue
      const quotes = await store.listQuotesSince(0, 1_000)
      const quote = quotes.find((one) => orderIdOfQuote(one) === orderId)
      const found = quote && (await nameFill(orderId, orderOfQuote(quote), txHash).catch(() => undefined))
      if (found === 'filled') known.add(orderId)
    }
  }
}

/** The service's vault parts for two payment chains, over a store. */
const createService = (
  store: Store,
  [origin, destination]: readonly [TestPaymentChain, TestPaymentChain],
  shared: Shared,
) => {
  const accounts = {
    vault: 'vault',
    treasury: ['treasury'],
    dustOf: TERMS.dustOf,
    unmatchedTermsOf: testUnmatchedTermsOf,
    readAfter: undefined,
    tokens: ['token', 'other'],
    dailyLimitOf: (token: string) => (token === 'other' ? DAILY_LIMIT : undefined),
  }
  const { signingMarks } = origin.chain
  if (signingMarks === undefined) throw new Error('expected a chain with vaults')
  const vaultChain = { ...accounts, chain: origin.chain, signingMarks }
  const terms = { depositGraceSeconds: TERMS.graceSeconds }
  const paymentChains = new Map([origin, destination].map(({ chain }) => [chain.chainId, chain]))
  const index = createPaymentIndex({
    ...shared,
    vaults: [vaultChain],
    paymentChains,
    terms,
    store,
    pollMs: 5,
  })
  const name = createNaming(index, store, destination)
  const facts = { ...index, round: () => name().then(index.round) }
  const earlier = createEarlierPayouts({
    chain: origin.chain,
    signingMarks,
    vault: 'vault',
    store,
    finalNumber: facts.finalNumber,
  })
  const guard = createVaultGuard({ ...shared, vaultChain, store, finalTime: facts.finalTime })
  const factCheck = createFactCheck(shared)
  const renewals = createRenewals({ ...shared, chain: origin.chain, guard, factCheck })
  const outbox = createPayoutOutbox({
    ...shared,
    decideRenewal: renewals.decide,
    store,
    earlier,
    chain: origin.chain,
    secret: testSecretOf('vault'),
    timing: { roundMs: 5, rebroadcastMs: 1_000 },
  })
  const orderFacts = createOrderFacts({
    ...shared,
    evmChains: new Map(),
    paymentChains,
    orders: { finalBlock: () => undefined },
  })
  const held = createHeldDeposits({ ...shared, store })
  const operator = createVaultOperator({
    ...shared,
    hold: held.hold,
    orderFacts,
    factCheck,
    store,
    facts,
    evmFillTransactionOf: async () => undefined,
    evmFillOf: () => Promise.reject(new Error('no EVM chain here')),
    vaultChains: [{ ...vaultChain, earlier, outbox, guard, renewals }],
    roundMs: 5,
  })
  return { facts, outbox, operator, guard, factCheck, held }
}

/** Tests only: what is neither settled nor held of a store's deposits. */
export const unsettledDeposits = async (
  store: Pick<Store, 'listUnsettledDeposits' | 'listUnmatchedDeposits'>,
): Promise<readonly StoredPayment[]> => [
  ...(await store.listUnsettledDeposits(1_000)),
  ...(await store.listUnmatchedDeposits(-1, Number.MAX_SAFE_INTEGER, 1_000)),
]

/** Tests only: the limit of payments per day in the token 'other'. */
export const DAILY_LIMIT = 2_000n

/** Tests only: two payment chains, and a service over a store that can be restarted. */
export const createTestVault = (store: Store, random?: () => number, maximumPayouts = 4) => {
  worlds += 1
  const chance = random === undefined ? {} : { random }
  const origin = createTestPaymentChain({
    chainId: `stellar:origin-${worlds}`,
    maximumPayouts,
    ...chance,
  })
  const destination = createTestPaymentChain({ chainId: `stellar:destination-${worlds}` })
  const lines: string[] = []
  const log = (level: string, message: string) => {
    lines.push(`${level} ${message}`)
  }
  const now = (): number => (origin.chain.head()?.timestampSeconds ?? START_SECONDS) * 1000

  /** Quotes an order at the origin's time. Returns it with its deposit's muxed id. */
  const quote = async (changes: Partial<IntentOrder> = {}) => {
    orders += 1
    const createdAt = now()
    const answerId = firstQuoteId(createdAt, BigInt(orders) << 8n)
    // A muxed id contains the first 16 bits.
    const first = (orders % 65_536).toString(16).padStart(4, '0')
    const orderId: OrderId = `0x${first}${testOrderId(orders).slice(6)}`
    const openDeadline = now() / 1000 + 60
    const order = testOrder({
      salt: saltOf(answerId, '0'.repeat(32)),
      originChain: origin.chain.chainId,
      destinationChain: destination.chain.chainId,
      openDeadline,
      fillDeadline: openDeadline + 30,
      ...changes,
    })
    const record: QuoteRecord = { ...testQuote(answerId, orderId, order), createdAt }
    await store.saveQuotes([record])
    return { orderId, order, quote: record, muxedId: depositMuxedId(createdAt, orderId) }
  }

  const startService = (over: Store = store) => createService(over, [origin, destination], { now, log })

  const deposit = (changes: Partial<TestPayment> = {}): TestPayment => ({
    from: 'depositor',
    to: 'vault',
    token: 'token',
    amount: 1_000n,
    ...changes,
  })
  const fill = (orderId: OrderId, changes: Partial<TestPayment> = {}): TestPayment => ({
    from: 'filler',
    to: 'recipient',
    token: 'output',
    amount: 900n,
    memo: orderId,
    ...changes,
  })
  /** Recipients and amounts of the vault's payments, in order. */
  const paid = (): readonly (readonly [string, string, bigint])[] =>
    origin
      .landed()
      .filter(({ from }) => from === 'vault')
      .map(({ to, token, amount }) => [to, token, amount] as const)

  return { origin, destination, lines, now, startService, quote, deposit, fill, paid }
}

type Vault = ReturnType<typeof createTestVault>

/** Tests only: advances both chains by some seconds; the service runs one round per second. */
export const passSeconds = async (
  { origin, destination }: Pick<Vault, 'origin' | 'destination'>,
  { facts, outbox, operator }: ReturnType<Vault['startService']>,
  seconds: number,
): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) {
    await facts.round()
    await operator.round()
    await outbox.round()
    origin.advance()
    destination.advance()
  }
}

/** Tests only: a vault with a service that has read its chains. `pass` is `passSeconds` of both. */
export const openTestVault = async (store: Parameters<typeof createTestVault>[0]) => {
  const world = createTestVault(store)
  const service = world.startService()
  await service.facts.round()
  return { ...world, service, pass: (seconds: number) => passSeconds(world, service, seconds) }
}
