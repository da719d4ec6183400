import type { IntentTerms } from '../../core/network.ts'
import type { Payment } from '../../core/payment.ts'
import type { QuoteId } from '../../core/quote-id.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { orderOfQuote } from '../settlers/quoted-order.ts'

/** Open orders that payments without a reference may belong to. */
export type OpenOrders = {
  /**
   * The quotes that were open at a payment, with its sender, token and exact amount, oldest first. Each quote is read
   * from the store once; rejects if the store cannot be read.
   */
  readonly candidatesFor: (payment: Payment) => Promise<readonly QuoteRecord[]>
}

type Deps = {
  readonly store: Pick<Store, 'listQuotesSince'>
  readonly terms: Pick<IntentTerms, 'quoteLifetimeSeconds' | 'depositGraceSeconds'>
  readonly log: Log
}

const PAGE = 500
/** The most pages of quotes that are read for one payment; it bounds the cached quotes too. */
const MOST_PAGES = 100
/** A quote may be stored after another with a later time. */
const OVERLAP_MS = 5_000

/** The deposit that a quote expects, for payments that name no quote. */
type ExpectedDeposit = Pick<Payment, 'chainId' | 'token' | 'amount'> & {
  readonly vault: unknown
  readonly sender: string
}

const keyOf = ({ chainId, vault, sender, token, amount }: ExpectedDeposit): string =>
  [chainId, vault, sender, token, amount].join(' ')

const depositOf = ({ fromChain, fromToken, input, sender, binding }: QuoteRecord): ExpectedDeposit => ({
  chainId: fromChain,
  vault: binding['sourceSettler'],
  sender,
  token: fromToken,
  amount: input,
})

/** Caches the quotes around the last payment's time, by their expected deposits. */
export const createOpenOrders = ({ store, terms, log }: Deps): OpenOrders => {
  const { quoteLifetimeSeconds, depositGraceSeconds } = terms
  const openMs = (quoteLifetimeSeconds + depositGraceSeconds) * 1000
  const quotes = new Map<QuoteId, QuoteRecord>()
  const byDeposit = new Map<string, Map<QuoteId, QuoteRecord>>()
  /** Every quote created in this period is cached. */
  let fromMs = 0
  let toMs = 0

  const add = (quote: QuoteRecord): void => {
    const key = keyOf(depositOf(quote))
    const others = byDeposit.get(key) ?? new Map<QuoteId, QuoteRecord>()
    byDeposit.set(key, others.set(quote.quoteId, quote))
    quotes.set(quote.quoteId, quote)
  }
  const forgetBefore = (instant: number): void => {
    // In reading order, which is the order of their times up to the overlap.
    for (const quote of quotes.values()) {
      if (quote.createdAt >= instant) break
      const key = keyOf(depositOf(quote))
      const others = byDeposit.get(key)
      others?.delete(quote.quoteId)
      if (others?.size === 0) byDeposit.delete(key)
      quotes.delete(quote.quoteId)
    }
    fromMs = Math.max(fromMs, instant)
  }
  const readFrom = async (startMs: number, endMs: number): Promise<void> => {
    let after: QuoteId | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const found = await store.listQuotesSince(startMs, PAGE, after)
      for (const quote of found) if (quote.backend === 'intent') add(quote)
      const last = found.at(-1)
      if (found.length < PAGE || (last !== undefined && last.createdAt > endMs)) return
      after = last?.quoteId
    }
    log('warn', 'too_many_quotes_to_match', { fromMs: startMs, toMs: endMs })
  }

  /** Reads the missing part of the period in which a payment's order was quoted. */
  const cover = async (startMs: number, endMs: number): Promise<void> => {
    if (startMs < fromMs || startMs > toMs) {
      quotes.clear()
      byDeposit.clear()
      toMs = startMs
      fromMs = startMs
    }
    forgetBefore(startMs)
    if (endMs <= toMs) return
    await readFrom(Math.max(startMs, toMs - OVERLAP_MS), endMs)
    toMs = endMs
  }

  return {
    candidatesFor: async ({ chainId, to, from, token, amount, timestampSeconds }) => {
      // The chain's clock has whole seconds, so a quote of the same second may precede the payment.
      const latestMs = timestampSeconds * 1000 + 999
      await cover(timestampSeconds * 1000 - openMs, latestMs)
      const key = keyOf({ chainId, vault: to, sender: from, token, amount })
      const found = [...(byDeposit.get(key)?.values() ?? [])]
      return found
        .filter(({ createdAt }) => createdAt <= latestMs)
        .filter((quote) => orderOfQuote(quote).openDeadline + depositGraceSeconds >= timestampSeconds)
        .sort((one, other) => (one.quoteId < other.quoteId ? -1 : 1))
    },
  }
}
