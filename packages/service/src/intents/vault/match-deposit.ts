import type { OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Payment } from '../../core/payment.ts'
import { idsOfAnswer, type QuoteId, quoteNumber } from '../../core/quote-id.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { depositMuxedId, quotedAt, readDepositMemo } from '../settlers/deposit-reference.ts'
import { orderIdOfQuote, orderOfQuote } from '../settlers/quoted-order.ts'

type MatchDeps = {
  readonly store: Pick<Store, 'findQuote' | 'listQuotesSince'>
  readonly terms: Pick<IntentTerms, 'quoteLifetimeSeconds' | 'depositGraceSeconds'>
  readonly log: Log
}

/** Whether an order already has a deposit, so that a payment without a reference is not attributed to it. */
type IsTaken = (orderId: OrderId) => Promise<boolean>

const PAGE = 500
/** Limit of quote pages searched for one payment without a reference. */
const MOST_PAGES = 100

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

/** Iterates over the quotes created between two instants, page by page, until `use` returns true. */
const eachQuote = async (
  { store, log }: MatchDeps,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  use: (quote: QuoteRecord) => Promise<boolean> | boolean,
): Promise<void> => {
  let after: QuoteId | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const quotes = await store.listQuotesSince(fromMs, PAGE, after)
    for (const quote of quotes) if (quote.createdAt > toMs || (await use(quote))) return
    after = quotes.at(-1)?.quoteId
    if (quotes.length < PAGE) return
  }
  log('warn', 'too_many_quotes_to_match', { fromMs, toMs })
}

/** The quote of a muxed id; of several with the same id, the one that the payment fits best. */
const findByMuxedId = async (deps: MatchDeps, payment: Payment): Promise<QuoteRecord | undefined> => {
  const { muxedId, from } = payment
  if (muxedId === undefined) return undefined
  const named: QuoteRecord[] = []
  const at = quotedAt(muxedId)
  await eachQuote(deps, { fromMs: at, toMs: at }, (quote) => {
    if (isPaidHere(quote, payment) && depositMuxedId(quote.createdAt, orderIdOfQuote(quote)) === muxedId)
      named.push(quote)
    return false
  })
  return (
    named.find((quote) => isExact(quote, payment)) ?? named.find(({ sender }) => sender === from) ?? named[0]
  )
}

/** The oldest quote that was open at the payment, has no deposit yet and asks for exactly this amount. */
const findByAmount = async (
  deps: MatchDeps,
  payment: Payment,
  isTaken: IsTaken,
): Promise<QuoteRecord | undefined> => {
  const { quoteLifetimeSeconds, depositGraceSeconds } = deps.terms
  const { timestampSeconds } = payment
  const earliest = timestampSeconds - quoteLifetimeSeconds - depositGraceSeconds
  let found: QuoteRecord | undefined
  // The chain's clock has whole seconds, so a quote of the same second may precede the payment.
  const period = { fromMs: earliest * 1000, toMs: timestampSeconds * 1000 + 999 }
  await eachQuote(deps, period, async (quote) => {
    if (!isPaidHere(quote, payment) || !isExact(quote, payment)) return false
    if (orderOfQuote(quote).openDeadline + depositGraceSeconds < timestampSeconds) return false
    if (await isTaken(orderIdOfQuote(quote))) return false
    found = quote
    return true
  })
  return found
}

/**
 * Finds the quote of a payment into a vault: the one named by its memo or muxed id, whatever was paid; else an open one
 * of the same sender, token and exact amount without a deposit; else none. Rejects if the store cannot be read.
 */
export const createDepositMatcher =
  (deps: MatchDeps) =>
  async (payment: Payment, isTaken: IsTaken): Promise<QuoteRecord | undefined> =>
    (await findByMemo(deps, payment)) ??
    (await findByMuxedId(deps, payment)) ??
    findByAmount(deps, payment, isTaken)

export type DepositMatcher = ReturnType<typeof createDepositMatcher>
