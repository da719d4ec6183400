import type { Instant } from '../core/instant.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { createSharedReads } from '../lib/shared-reads.ts'
import type { Store } from '../store/store.ts'

/** The stored quotes of a quote's terms that were made in the five minutes up to an instant, the newest, oldest first. */
export type EqualQuotes = (quote: QuoteRecord, until: Instant) => Promise<readonly QuoteRecord[]>

const KEPT_MS = 60_000
const MAX_KEPT = 1_000

/** The terms that an event on the source chain shows. */
const termsOf = (quote: QuoteRecord): string =>
  [
    quote.backend,
    quote.fromChain,
    quote.fromToken,
    quote.toChain,
    quote.toToken,
    quote.sender,
    quote.recipient,
    quote.input,
    quote.binding['salt'] ?? '',
  ].join(' ')

/** Creates a reader of equal quotes; callers about the same terms and instant share a read for a minute. */
export const createEqualQuotes = ({
  store,
  now,
}: {
  readonly store: Pick<Store, 'listQuotesOfTerms'>
  readonly now: () => Instant
}): EqualQuotes => {
  const reads = createSharedReads<string, readonly QuoteRecord[]>({ now, maxAgeMs: KEPT_MS, limit: MAX_KEPT })
  return (quote, until) => {
    const terms = termsOf(quote)
    return reads(`${terms} ${until}`, async () => {
      const quotes = await store.listQuotesOfTerms(quote, until)
      return quotes.filter((other) => termsOf(other) === terms)
    })
  }
}
