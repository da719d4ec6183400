import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { ChainId } from '../../core/chain.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../core/log.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Observation } from '../../core/transfer.ts'
import type { OrderFacts } from '../../solvers/order-facts.ts'
import { refundCall } from '../../solvers/settler-contract.ts'
import type { Store } from '../../store/store.ts'
import type { RefundCall } from '../backend.ts'
import { orderIdOfQuote, orderOfQuote } from './intent-binding.ts'
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

/** The order that was quoted, and its id. */
type QuotedOrder = { readonly orderId: OrderId; readonly order: IntentOrder }

const quotedOrder = (quote: QuoteRecord): QuotedOrder => ({
  orderId: orderIdOfQuote(quote),
  order: orderOfQuote(quote),
})

const placeOf = ({ orderId, order: { originChain, destinationChain } }: QuotedOrder) => ({
  orderId,
  originChain,
  destinationChain,
})

/** All facts about a quoted order but whether its refund was signed. Rejects when a chain cannot be read. */
const readFacts = async ({ orders }: IntentTrackDeps, quoted: QuotedOrder): Promise<ReadFacts> => {
  // The clock first: the events up to it are then all among the facts.
  const destinationFinalSeconds = orders.finalBlock(quoted.order.destinationChain)?.timestampSeconds
  const { open, filled, released, refunded, declined } = await orders.factsOf(placeOf(quoted))
  return { opened: open, filled, released, refunded, declined, destinationFinalSeconds }
}

const isSigned = async (
  { store }: IntentTrackDeps,
  { orderId, order }: QuotedOrder,
  facts: ReadFacts,
): Promise<boolean> => isFillOver(order, facts) && (await findRefundEntry(store, orderId)).signed

/** What is left to say while a chain cannot be read: that a deposit was seen, so that the transfer is not forgotten. */
const observeBlindly = async ({ orders }: IntentTrackDeps, quoted: QuotedOrder): Promise<Observation> => {
  const known = await orders.lastKnown(placeOf(quoted)).catch(() => undefined)
  const open = known?.open
  if (open === undefined) return { seen: 'unreadable', details: {} }
  const source = sourceOf(quoted.order, open)
  return { seen: 'in_flight', source, details: { stage: 'chain_unreadable', stale: true } }
}

/** What the chains say of an intent, which its quote alone identifies. */
export const trackIntent = async (deps: IntentTrackDeps, quote: QuoteRecord): Promise<Observation> => {
  const quoted = quotedOrder(quote)
  try {
    const facts = await readFacts(deps, quoted)
    const isRefundSigned = await isSigned(deps, quoted, facts)
    return observeIntent(quoted.orderId, quoted.order, { ...facts, isRefundSigned })
  } catch (error) {
    deps.log('warn', 'an intent could not be read', { quoteId: quote.quoteId, error })
  }
  return observeBlindly(deps, quoted)
}

/**
 * The refund of an intent, due once the origin chain's clock has passed `refundAfter`: a final deposit that nobody filled,
 * whose refund is neither seen nor signed. Rejects when a chain cannot be read.
 */
export const dueRefund = async (
  deps: IntentTrackDeps,
  quote: QuoteRecord,
): Promise<RefundCall | undefined> => {
  const quoted = quotedOrder(quote)
  const { orderId, order } = quoted
  const head = deps.evmChains.get(quote.fromChain)?.head()
  if (head === undefined || head.timestampSeconds <= order.refundAfter) return undefined
  const facts = await readFacts(deps, quoted)
  const { opened, filled, released, refunded } = facts
  if (opened?.final !== true || filled !== undefined || released !== undefined || refunded !== undefined)
    return undefined
  if (!isFillOver(order, facts)) return undefined
  const entry = await findRefundEntry(deps.store, orderId)
  if (entry.signed || entry.key === undefined) return undefined
  return {
    key: entry.key,
    chainId: quote.fromChain,
    to: order.originSettler,
    data: refundCall(order).data,
    gasLimit: REFUND_GAS_LIMIT,
  }
}
