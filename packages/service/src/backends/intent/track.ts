import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Details, Observation } from '../../core/transfer.ts'
import type { EscrowFactsOf } from '../../intents/settlers/escrow-facts.ts'
import type { EscrowOrigins } from '../../intents/settlers/escrow-origins.ts'
import type { FillEvidence } from '../../intents/settlers/fill-evidence.ts'
import type { OrderEventIndex } from '../../intents/settlers/order-event-index.ts'
import type { FillRecord } from '../../intents/settlers/order-events.ts'
import { orderIdOfQuote, orderOfQuote } from '../../intents/settlers/quoted-order.ts'
import { orderIdOf } from '../../intents/settlers/settler-contract.ts'
import type { AbsenceEvidence } from '../../intents/vault/absence-evidence.ts'
import { refundKey, returnKey } from '../../intents/vault/obligations.ts'
import type { OrderFacts } from '../../intents/vault/order-facts.ts'
import type { PaymentIndex } from '../../intents/vault/payment-index.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { findPayoutAttempts, findTransactionAttempts } from '../../transactions/attempts.ts'
import type { FactCheck } from '../../transactions/fact-check.ts'
import {
  type IntentFacts,
  isFillOver,
  type ObservedEvent,
  type ObservedFill,
  observeIntent,
  sourceOf,
} from './observe.ts'
import {
  type DepositFacts,
  observeDeposits,
  type PayoutStanding,
  uncreditedDetails,
} from './observe-deposits.ts'
import { refundObstacle } from './program-refund.ts'

export type IntentTrackDeps = {
  readonly catalog: Pick<Catalog, 'token'>
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'head' | 'agreedWhyNotPayable'>>
  readonly escrows: Pick<EscrowOrigins, 'factsOf' | 'isRefundInFlight' | 'follow' | 'payerOf'>
  readonly orders: Pick<OrderEventIndex, 'getOrderEvents' | 'lastKnown' | 'finalBlock'>
  readonly evidence: FillEvidence
  readonly absences: AbsenceEvidence
  readonly orderFacts: Pick<OrderFacts, 'unfilled'>
  readonly factCheck: Pick<FactCheck, 'allows'>
  readonly paymentIndex: Pick<PaymentIndex, 'getOrderPayments' | 'lastKnown'>
  readonly store: Pick<Store, 'findTransaction' | 'findPayout' | 'listQuotesSince'>
  readonly log: Log
}

export type ReadFacts = Omit<IntentFacts, 'isRefundSigned'>

export const isOnPaymentChain = (chainId: ChainId): boolean => chainTypeOf(chainId) !== 'evm'

/** Whether the order is deposited for in the operator's vault. */
export const isVaultOrigin = (
  { escrows }: Pick<IntentTrackDeps, 'escrows'>,
  { originChain }: Pick<IntentOrder, 'originChain'>,
): boolean => isOnPaymentChain(originChain) && escrows.factsOf(originChain) === undefined

/** The order that a quote promises, its id, and when it was quoted. */
export type QuotedOrder = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  readonly quotedAt: Instant
}

export const quotedOrder = (quote: QuoteRecord): QuotedOrder => ({
  orderId: orderIdOfQuote(quote),
  order: orderOfQuote(quote),
  quotedAt: quote.createdAt,
})

const placeOf = ({ orderId, order: { originChain, destinationChain } }: QuotedOrder) => ({
  orderId,
  originChain,
  destinationChain,
})

const finalSecondsOf = ({ orders, paymentChains }: IntentTrackDeps, chainId: ChainId): number | undefined =>
  isOnPaymentChain(chainId)
    ? paymentChains.get(chainId)?.head()?.finalTimestampSeconds
    : orders.finalBlock(chainId)?.timestampSeconds

/** The known facts about an order's end on its destination. */
type Ending = {
  readonly isDeposited: boolean
  readonly filled: ObservedEvent | undefined
  /** Read first, so that the other facts include all events up to it. */
  readonly finalSeconds: number | undefined
}

/**
 * The time up to which the order was certainly not filled. Past the fill deadline only the settler's own status proves this on
 * an EVM chain, and on a payment chain the payments of the order's accounts; the absence of a named fill does not.
 */
const unfilledUntil = async (
  { evidence, absences }: IntentTrackDeps,
  { orderId, order, quotedAt }: QuotedOrder,
  { isDeposited, filled, finalSeconds }: Ending,
): Promise<number | undefined> => {
  const { destinationChain, fillDeadline } = order
  if (finalSeconds === undefined || finalSeconds <= fillDeadline) return finalSeconds
  if (!isDeposited || filled !== undefined) return undefined
  const isUnfilled = isOnPaymentChain(destinationChain)
    ? await absences.isAbsent(orderId, order, quotedAt)
    : await evidence.isUnfilled(orderId, order)
  return isUnfilled ? finalSeconds : undefined
}

/** The fill of an order on its destination. Rejects if the chain cannot be read. */
const readFill = async (
  { orders, paymentIndex }: IntentTrackDeps,
  quoted: QuotedOrder,
): Promise<ObservedFill | undefined> =>
  isOnPaymentChain(quoted.order.destinationChain)
    ? (await paymentIndex.getOrderPayments(quoted.orderId, quoted.order)).fill
    : observedFill((await orders.getOrderEvents(placeOf(quoted))).filled)

const observedFill = (found: FillRecord | undefined): ObservedFill | undefined =>
  found && { ...found, filler: found.event.filler }

/**
 * All facts about an order opened on an EVM chain, except whether its refund is signed. Rejects if a chain cannot be
 * read.
 */
const readFacts = async (deps: IntentTrackDeps, quoted: QuotedOrder): Promise<ReadFacts> => {
  // Read the clock first: then the facts include all events up to it.
  const finalSeconds = finalSecondsOf(deps, quoted.order.destinationChain)
  const facts = await deps.orders.getOrderEvents(placeOf(quoted))
  const { open, released = facts.proven, refunded } = facts
  const isDeliveredOnPaymentChain = isOnPaymentChain(quoted.order.destinationChain)
  const filled = isDeliveredOnPaymentChain ? await readFill(deps, quoted) : observedFill(facts.filled)
  const ending = { isDeposited: open !== undefined, filled, finalSeconds }
  const destinationFinalSeconds = await unfilledUntil(deps, quoted, ending)
  const declined = declineIn(quoted.order, refunded)
  return { opened: open, filled, released, refunded, declined, destinationFinalSeconds }
}

/** The refund of an order if it is a decline: before `refundAfter` only the solver has the deposit refunded. */
const declineIn = (
  { refundAfter }: Pick<IntentOrder, 'refundAfter'>,
  refunded: ObservedEvent | undefined,
): ObservedEvent | undefined =>
  refunded !== undefined && refunded.timestampSeconds <= refundAfter ? refunded : undefined

/**
 * All facts about an order of an escrow program, except whether its refund is signed. A refund before `refundAfter` needs
 * the solver's signature, which declines. Rejects if a chain cannot be read.
 */
const readEscrowFacts = async (
  deps: IntentTrackDeps,
  quoted: QuotedOrder,
  factsOf: EscrowFactsOf,
): Promise<ReadFacts> => {
  const { orderId, order } = quoted
  const finalSeconds = finalSecondsOf(deps, order.destinationChain)
  const { opened, released, refunded } = await factsOf(orderId, order)
  const filled = await readFill(deps, quoted)
  const ending = { isDeposited: opened !== undefined, filled, finalSeconds }
  const destinationFinalSeconds = await unfilledUntil(deps, quoted, ending)
  return {
    opened,
    filled,
    released,
    refunded,
    declined: declineIn(order, refunded),
    destinationFinalSeconds,
  }
}

/** All facts about an order opened at a settler or an escrow program. Rejects if a chain cannot be read. */
export const readEscrow = (deps: IntentTrackDeps, quoted: QuotedOrder): Promise<ReadFacts> => {
  const factsOf = deps.escrows.factsOf(quoted.order.originChain)
  return factsOf === undefined ? readFacts(deps, quoted) : readEscrowFacts(deps, quoted, factsOf)
}

/** The progress of a payout as its recipient sees it: a failed attempt is on its way until another has landed. */
const findStanding = async (
  { store }: Pick<IntentTrackDeps, 'store'>,
  key: string,
): Promise<PayoutStanding> => {
  const attempts = await findPayoutAttempts(store, key)
  if (attempts.kind === 'succeeded') return { kind: 'paid', txHash: attempts.txHash }
  return { kind: attempts.kind === 'due' && !attempts.isRetry ? 'none' : 'sent' }
}

/** The progress of the returns of uncredited amounts. */
const readReturns = (
  deps: Pick<IntentTrackDeps, 'store'>,
  { final }: DepositFacts['deposits'],
): Promise<readonly PayoutStanding[]> =>
  Promise.all(final.returns.map(({ payment }) => findStanding(deps, returnKey(payment))))

/** All facts about an order deposited for on a payment chain. Rejects if a chain or the store cannot be read. */
const readDeposits = async (deps: IntentTrackDeps, quoted: QuotedOrder): Promise<DepositFacts> => {
  const { paymentIndex } = deps
  const { orderId, order } = quoted
  const finalSeconds = finalSecondsOf(deps, order.destinationChain)
  const { deposits } = await paymentIndex.getOrderPayments(orderId, order)
  if (deposits === undefined) throw new ConfigError(`no vault is read on ${order.originChain}`)
  const filled = await readFill(deps, quoted)
  const isDeposited = deposits.final.state === 'complete'
  const destinationFinalSeconds = await unfilledUntil(deps, quoted, { isDeposited, filled, finalSeconds })
  const refund = await findStanding(deps, refundKey(orderId))
  const returns = await readReturns(deps, deposits)
  return { deposits, filled, destinationFinalSeconds, refund, returns }
}

/** Whether a refund was signed that may be mined, or was. */
const isRefundSigned = async (
  { store, escrows }: IntentTrackDeps,
  { orderId, order: { originChain } }: QuotedOrder,
): Promise<boolean> => {
  if (isOnPaymentChain(originChain)) return escrows.isRefundInFlight(originChain, refundKey(orderId))
  const { kind } = await findTransactionAttempts(store, refundKey(orderId))
  return kind === 'open' || kind === 'succeeded'
}

/** The last known deposit. */
const lastDeposit = async (
  { orders, paymentIndex, escrows }: IntentTrackDeps,
  quoted: QuotedOrder,
): Promise<Pick<ObservedEvent, 'txHash' | 'timestampSeconds'> | undefined> =>
  isVaultOrigin({ escrows }, quoted.order)
    ? (await paymentIndex.lastKnown(quoted.orderId, quoted.order)).deposits?.seen.source
    : (await orders.lastKnown(placeOf(quoted))).open

/**
 * The observation while a chain cannot be read: a deposit seen before is still reported, so that the transfer does not
 * disappear.
 */
const observeBlindly = async (deps: IntentTrackDeps, quoted: QuotedOrder): Promise<Observation> => {
  const known = await lastDeposit(deps, quoted).catch(() => undefined)
  if (known === undefined) return { seen: 'unreadable', details: {} }
  const source = sourceOf(quoted.order, known)
  return { seen: 'in_flight', source, details: { stage: 'chain_unreadable', stale: true } }
}

/** Whether the order is of the settlers that are read here: one of the first settlers has another id. */
const isReadable = ({ orderId, order }: QuotedOrder): boolean => {
  if (order.attester === undefined) return order.proven !== undefined
  return orderIdOf(order) === orderId
}

/** Adds what a due refund by an escrow program waits for. */
const withObstacle = async (
  deps: IntentTrackDeps,
  quoted: QuotedOrder,
  observed: Observation & { readonly seen: 'refund_decided' },
): Promise<Observation> => {
  if (deps.escrows.factsOf(quoted.order.originChain) === undefined) return observed
  const refundWaitsFor = await refundObstacle(deps, quoted).catch(() => undefined)
  return refundWaitsFor === undefined
    ? observed
    : { ...observed, details: { ...observed.details, refundWaitsFor } }
}

/** Observes an intent, which its quote alone identifies. */
export const trackIntent = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<Observation> => {
  const quoted = quotedOrder(quote)
  const { orderId, order } = quoted
  // Nothing reads the first settlers, so that nothing is known of their orders any more.
  if (!isReadable(quoted)) return { seen: 'unreadable', details: {} }
  try {
    if (isVaultOrigin(deps, order)) return observeDeposits(orderId, order, await readDeposits(deps, quoted))
    const facts = await readEscrow(deps, quoted)
    // The solver of an order that is no longer followed must learn of its deposit.
    if (facts.opened !== undefined) deps.escrows.follow(quoted, true)
    const isSigned = isFillOver(order, facts) && (await isRefundSigned(deps, quoted))
    const observed = observeIntent(orderId, order, { ...facts, isRefundSigned: isSigned })
    return observed.seen === 'refund_decided' ? await withObstacle(deps, quoted, observed) : observed
  } catch (error) {
    deps.log('warn', 'intent_read_failed', { quoteId: quote.quoteId, error })
  }
  return observeBlindly(deps, quoted)
}

/**
 * Details of deposits beyond the order's input on a payment chain, with the return of each, also after the order was
 * filled or refunded. Rejects if the store cannot be read.
 */
export const intentLateDeposits = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<Details> => {
  const { orderId, order } = quotedOrder(quote)
  if (!isVaultOrigin(deps, order)) return {}
  const { deposits } = await deps.paymentIndex.lastKnown(orderId, order)
  return deposits === undefined
    ? {}
    : uncreditedDetails({ deposits, returns: await readReturns(deps, deposits) })
}
