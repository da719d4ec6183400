import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Log } from '../../core/log.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Observation } from '../../core/transfer.ts'
import type { OrderFacts } from '../../solvers/order-facts.ts'
import { orderIdOfQuote, orderOfQuote } from '../../solvers/quoted-order.ts'
import { refundCall } from '../../solvers/settler-contract.ts'
import type { Store } from '../../store/store.ts'
import type { RefundCall } from '../backend.ts'
import { type IntentFacts, isFillOver, observeIntent, sourceOf } from './observe.ts'
import { findRefundEntry } from './refund.ts'

export type IntentTrackDeps = {
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly orders: Pick<OrderFacts, 'factsOf' | 'lastKnown' | 'finalBlock'>
  readonly store: Pick<Store, 'findOutboxEntry'>
  readonly log: Log
}

/** Gas for a refund, of which the settler keeps 405,000 ready so that a payee cannot be credited for want of gas. */
const REFUND_GAS_LIMIT = 600_000n

type ReadFacts = Omit<IntentFacts, 'isRefundSigned'>

const placeOf = (quote: QuoteRecord) => ({
  orderId: orderIdOfQuote(quote),
  originChain: quote.fromChain,
  destinationChain: quote.toChain,
})

/** All facts about a quote's order but whether its refund was signed. Rejects when a chain cannot be read. */
const readFacts = async ({ orders }: IntentTrackDeps, quote: QuoteRecord): Promise<ReadFacts> => {
  // The clock first: the events up to it are then all among the facts.
  const destinationFinalSeconds = orders.finalBlock(quote.toChain)?.timestampSeconds
  const { open, filled, released, refunded, declined } = await orders.factsOf(placeOf(quote))
  return { opened: open, filled, released, refunded, declined, destinationFinalSeconds }
}

const isSigned = async ({ store }: IntentTrackDeps, quote: QuoteRecord, facts: ReadFacts): Promise<boolean> =>
  isFillOver(orderOfQuote(quote), facts) && (await findRefundEntry(store, orderIdOfQuote(quote))).signed

/** What is left to say while a chain cannot be read: that a deposit was seen, so that the transfer is not forgotten. */
const observeBlindly = async ({ orders }: IntentTrackDeps, quote: QuoteRecord): Promise<Observation> => {
  const known = await orders.lastKnown(placeOf(quote)).catch(() => undefined)
  const open = known?.open
  if (open === undefined) return { seen: 'unreadable', details: {} }
  const source = sourceOf(orderOfQuote(quote), open)
  return { seen: 'in_flight', source, details: { stage: 'chain_unreadable', stale: true } }
}

/** What the chains say of an intent, which its quote alone identifies. */
export const trackIntent = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<Observation> => {
  try {
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
