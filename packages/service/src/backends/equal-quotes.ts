import type { Instant } from '../core/instant.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { createSharedReads } from '../lib/shared-reads.ts'
import type { Store } from '../store/store.ts'

/** The stored quotes of a quote's terms that were made in the five minutes up to an instant, oldest first. */
export type EqualQuotes = (quote: QuoteRecord, until: Instant) => Promise<readonly QuoteRecord[]>

const LOOKBACK_MS = 300_000
const PAGE = 500
/** The most quotes that are looked through. */
const MAX_QUOTES = 30_000
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
  readonly store: Pick<Store, 'listQuotesSince'>
  readonly now: () => Instant
}): EqualQuotes => {
  const reads = createSharedReads<string, readonly QuoteRecord[]>({ now, maxAgeMs: KEPT_MS, limit: MAX_KEPT })
  const read = async (terms: string, until: Instant): Promise<readonly QuoteRecord[]> => {
    const equal: QuoteRecord[] = []
    let after: QuoteId | undefined
    for (let seen = 0; seen < MAX_QUOTES; seen += PAGE) {
      const page = await store.listQuotesSince(until - LOOKBACK_MS, PAGE, after)
      equal.push(...page.filter((quote) => quote.createdAt <= until && termsOf(quote) === terms))
      const last = page.at(-1)
      if (page.length < PAGE || last === undefined || last.createdAt > until) break
      after = last.quoteId
    }
    return equal
  }
  return (quote, until) => {
    const terms = termsOf(quote)
    return reads(`${terms} ${until}`, () => read(terms, until))
  }
}
