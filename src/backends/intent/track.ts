import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { ChainId } from '../../core/chain.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Log } from '../../core/log.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Observation } from '../../core/transfer.ts'
import type { OrderFacts } from '../../solvers/order-facts.ts'
import { isOrderChain } from '../../solvers/order-words.ts'
import { orderIdOfQuote, orderOfQuote } from '../../solvers/quoted-order.ts'
import { refundCall } from '../../solvers/settler-contract.ts'
import type { Store } from '../../store/store.ts'
import type { LedgerFacts } from '../../vault/ledger-facts.ts'
import { refundKey, returnKey } from '../../vault/obligations.ts'
import type { RefundCall } from '../backend.ts'
import { type IntentFacts, isFillOver, observeIntent, type SeenEvent, sourceOf } from './observe.ts'
import { type DepositFacts, observeDeposits } from './observe-deposits.ts'
import { findPayout } from './payout-standing.ts'
import { findRefundEntry } from './refund.ts'

export type IntentTrackDeps = {
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly orders: Pick<OrderFacts, 'factsOf' | 'lastKnown' | 'finalBlock'>
  readonly ledgerFacts: Pick<LedgerFacts, 'sidesOf' | 'lastKnown' | 'finalTime'>
  readonly store: Pick<Store, 'findOutboxEntry'>
  readonly log: Log
}

/** Gas for a refund, of which the settler keeps 405,000 ready so that a payee cannot be credited for want of gas. */
const REFUND_GAS_LIMIT = 600_000n

type ReadFacts = Omit<IntentFacts, 'isRefundSigned'>

const isOnLedger = (chainId: ChainId): boolean => !isOrderChain(chainId)

const placeOf = (quote: QuoteRecord) => ({
  orderId: orderIdOfQuote(quote),
  originChain: quote.fromChain,
  destinationChain: quote.toChain,
})

const finalSecondsOf = ({ orders, ledgerFacts }: IntentTrackDeps, chainId: ChainId): number | undefined =>
  isOnLedger(chainId) ? ledgerFacts.finalTime(chainId) : orders.finalBlock(chainId)?.timestampSeconds

/** The fill of an order on the side where it is delivered. Rejects when the chain cannot be read. */
const readFill = async (
  { orders, ledgerFacts }: IntentTrackDeps,
  quote: QuoteRecord,
): Promise<SeenEvent | undefined> =>
  isOnLedger(quote.toChain)
    ? (await ledgerFacts.sidesOf(orderIdOfQuote(quote), orderOfQuote(quote))).fill
    : (await orders.factsOf(placeOf(quote))).filled

/**
 * All facts about a quote's order but whether its refund was signed, for an order that is opened on an EVM chain. Rejects
 * when a chain cannot be read.
 */
const readFacts = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<ReadFacts> => {
  // The clock first: the events up to it are then all among the facts.
  const destinationFinalSeconds = finalSecondsOf(deps, quote.toChain)
  const { open, released, refunded, declined } = await deps.orders.factsOf(placeOf(quote))
  const filled = await readFill(deps, quote)
  return { opened: open, filled, released, refunded, declined, destinationFinalSeconds }
}

/** All facts about an order that is deposited for on a ledger. Rejects when a chain or the store cannot be read. */
const readDeposits = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<DepositFacts> => {
  const { ledgerFacts, store } = deps
  const orderId = orderIdOfQuote(quote)
  const destinationFinalSeconds = finalSecondsOf(deps, quote.toChain)
  const { deposits } = await ledgerFacts.sidesOf(orderId, orderOfQuote(quote))
  if (deposits === undefined) throw new Error(`the vault of ${quote.fromChain} is not read`)
  const filled = await readFill(deps, quote)
  const refund = await findPayout(store, refundKey(orderId))
  const returns = await Promise.all(
    deposits.final.returns.map(({ payment }) => findPayout(store, returnKey(payment))),
  )
  return { deposits, filled, destinationFinalSeconds, refund, returns }
}

const isSigned = async ({ store }: IntentTrackDeps, quote: QuoteRecord, facts: ReadFacts): Promise<boolean> =>
  isFillOver(orderOfQuote(quote), facts) && (await findRefundEntry(store, orderIdOfQuote(quote))).signed

/** The deposit as it was known last. */
const lastDeposit = async (
  { orders, ledgerFacts }: IntentTrackDeps,
  quote: QuoteRecord,
  order: IntentOrder,
): Promise<Pick<SeenEvent, 'txHash' | 'timestampSeconds'> | undefined> =>
  isOnLedger(quote.fromChain)
    ? (await ledgerFacts.lastKnown(orderIdOfQuote(quote), order)).deposits?.seen.source
    : (await orders.lastKnown(placeOf(quote))).open

/** What is left to say while a chain cannot be read: that a deposit was seen, so that the transfer is not forgotten. */
const observeBlindly = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<Observation> => {
  const order = orderOfQuote(quote)
  const known = await lastDeposit(deps, quote, order).catch(() => undefined)
  if (known === undefined) return { seen: 'unreadable', details: {} }
  const source = sourceOf(order, known)
  return { seen: 'in_flight', source, details: { stage: 'chain_unreadable', stale: true } }
}

/** What the chains say of an intent, which its quote alone identifies. */
export const trackIntent = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<Observation> => {
  try {
    if (isOnLedger(quote.fromChain))
      return observeDeposits(orderIdOfQuote(quote), orderOfQuote(quote), await readDeposits(deps, quote))
    const facts = await readFacts(deps, quote)
    const isRefundSigned = await isSigned(deps, quote, facts)
    return observeIntent(orderIdOfQuote(quote), orderOfQuote(quote), { ...facts, isRefundSigned })
  } catch (error) {
    deps.log('warn', 'an intent could not be read', { quoteId: quote.quoteId, error })
  }
  return observeBlindly(deps, quote)
}

/**
 * The refund of an intent, due once the origin chain's clock has passed `refundAfter`: a final deposit that nobody filled,
 * whose refund is neither seen nor signed. Rejects when a chain cannot be read.
 */
export const dueRefund = async (
  deps: IntentTrackDeps,
  quote: QuoteRecord,
): Promise<RefundCall | undefined> => {
  const order = orderOfQuote(quote)
  // What is deposited on a ledger the operator pays back from the vault.
  const head = deps.evmChains.get(quote.fromChain)?.head()
  if (head === undefined || head.timestampSeconds <= order.refundAfter) return undefined
  const facts = await readFacts(deps, quote)
  const { opened, filled, released, refunded } = facts
  if (opened?.final !== true || filled !== undefined || released !== undefined || refunded !== undefined)
    return undefined
  if (!isFillOver(order, facts)) return undefined
  const entry = await findRefundEntry(deps.store, orderIdOfQuote(quote))
  if (entry.signed || entry.key === undefined) return undefined
  return {
    key: entry.key,
    chainId: quote.fromChain,
    to: order.originSettler,
    data: refundCall(order).data,
    gasLimit: REFUND_GAS_LIMIT,
  }
}
