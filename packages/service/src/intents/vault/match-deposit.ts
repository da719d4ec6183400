import type { OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Payment } from '../../core/payment.ts'
import { idsOfAnswer, quoteNumber } from '../../core/quote-id.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { depositMuxedId, quotedAt, readDepositMemo } from '../settlers/deposit-reference.ts'
import { orderIdOfQuote } from '../settlers/quoted-order.ts'
import { createOpenOrders, type OpenOrders } from './open-orders.ts'

type MatchDeps = {
  readonly store: Pick<Store, 'findQuote' | 'listQuotesSince'>
  readonly terms: Pick<IntentTerms, 'quoteLifetimeSeconds' | 'depositGraceSeconds'>
  readonly log: Log
}

/** Whether an order already has a deposit, so that a payment without a reference is not attributed to it. */
type IsTaken = (orderId: OrderId) => Promise<boolean>

/** Limit of quotes of one millisecond searched for a muxed id. */
const MOST_OF_INSTANT = 1_000

/** Whether the quote's order is deposited into the account that was paid. */
const isPaidHere = (quote: QuoteRecord, { chainId, to }: Payment): boolean =>
  quote.backend === 'intent' && quote.fromChain === chainId && quote.binding['sourceSettler'] === to

const isExact = (quote: QuoteRecord, { from, token, amount }: Payment): boolean =>
  quote.sender === from && quote.fromToken === token && quote.input === amount

/** The quote named by a memo, found through the possible ids of its answer. */
const findByMemo = async ({ store }: MatchDeps, payment: Payment): Promise<QuoteRecord | undefined> => {
  const named = payment.memo === undefined ? undefined : readDepositMemo(payment.memo)
  if (named === undefined) return undefined
  for (const quoteId of idsOfAnswer(quoteNumber(named.answerId))) {
    const quote = await store.findQuote(quoteId)
    if (quote === undefined) return undefined
    if (isPaidHere(quote, payment) && orderIdOfQuote(quote) === named.orderId) return quote
  }
  return undefined
}

/** The quotes of one millisecond. */
const quotesOf = async ({ store }: MatchDeps, instant: number): Promise<readonly QuoteRecord[]> => {
  const quotes = await store.listQuotesSince(instant, MOST_OF_INSTANT)
  return quotes.filter(({ createdAt }) => createdAt === instant)
}

/** The quote of a muxed id; of several with the same id, the one that the payment fits best. */
const findByMuxedId = async (deps: MatchDeps, payment: Payment): Promise<QuoteRecord | undefined> => {
  const { muxedId, from } = payment
  if (muxedId === undefined) return undefined
  const quotes = await quotesOf(deps, quotedAt(muxedId))
  const named = quotes.filter(
    (quote) =>
      isPaidHere(quote, payment) && depositMuxedId(quote.createdAt, orderIdOfQuote(quote)) === muxedId,
  )
  return (
    named.find((quote) => isExact(quote, payment)) ?? named.find(({ sender }) => sender === from) ?? named[0]
  )
}

/** The oldest quote that was open at the payment, has no deposit yet and asks for exactly this amount. */
const findByAmount = async (
  orders: OpenOrders,
  payment: Payment,
  isTaken: IsTaken,
): Promise<QuoteRecord | undefined> => {
  for (const quote of await orders.candidatesFor(payment))
    if (!(await isTaken(orderIdOfQuote(quote)))) return quote
  return undefined
}

/**
 * Finds the quote of a payment into a vault: the one named by its memo or muxed id; else, unless the payment is dust,
 * an open one of the same sender, token and exact amount without a deposit; else none. Rejects if the store cannot be
 * read.
 */
export const createDepositMatcher = (deps: MatchDeps) => {
  const orders = createOpenOrders(deps)
  return async (
    payment: Payment,
    { isTaken, isDust }: { readonly isTaken: IsTaken; readonly isDust: boolean },
  ): Promise<QuoteRecord | undefined> =>
    (await findByMemo(deps, payment)) ??
    (await findByMuxedId(deps, payment)) ??
    (isDust ? undefined : findByAmount(orders, payment, isTaken))
}

export type DepositMatcher = ReturnType<typeof createDepositMatcher>
