import type { Instant } from '../../core/instant.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Store } from '../../store/store.ts'

/** So few that a text of a stranger makes the store decode little. */
const PAGE = 16
const MOST = 1_000

/** The quotes made in one millisecond, at most 1,000, in order of their ids. Rejects if the store cannot be read. */
export const quotesOfInstant = async (
  store: Pick<Store, 'listQuotesSince'>,
  instant: Instant,
): Promise<readonly QuoteRecord[]> => {
  const found: QuoteRecord[] = []
  while (found.length < MOST) {
    const page = await store.listQuotesSince(instant, PAGE, found.at(-1)?.quoteId)
    const own = page.filter(({ createdAt }) => createdAt === instant)
    found.push(...own)
    if (own.length < PAGE) return found
  }
  return found
}
