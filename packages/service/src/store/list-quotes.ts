import type { Instant } from '../core/instant.ts'
import { lowestQuoteId, type QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { decodeBundle, termsPattern } from './quote-bundles.ts'
import { quotesOfAnswers, quotesOfBodies } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'
import { type QuoteTerms, termsHash } from './terms-hash.ts'

const TERMS_OF_ANSWER = ['fromChain', 'fromToken', 'toChain', 'toToken', 'sender', 'recipient'] as const
const LOOKBACK_MS = 300_000
/** A client that asks every five seconds makes 60 answers. */
const MOST_ANSWERS = 200

const BUNDLES_AT_ONCE = 4
/** 8,192 answers. */
const MOST_BUNDLES = 64

/** Quotes of both places by id; one that is being moved is in both. */
const together = (loose: readonly QuoteRecord[], bundled: readonly QuoteRecord[]): readonly QuoteRecord[] => {
  const byId = new Map([...bundled, ...loose].map((quote) => [quote.quoteId, quote]))
  return [...byId.values()].sort((one, other) => (one.quoteId < other.quoteId ? -1 : 1))
}

/** The quotes of bundles that satisfy the condition, by id from `start` on, until there are `limit`. */
const listBundled = async (
  { read }: Sql,
  start: QuoteId,
  limit: number,
  isListed: (quote: QuoteRecord) => boolean,
): Promise<readonly QuoteRecord[]> => {
  const found: QuoteRecord[] = []
  let after = ''
  for (;;) {
    const rows = await read('bundlesSince', [start, after, BUNDLES_AT_ONCE])
    for (const row of rows) {
      const answers = await decodeBundle(row)
      found.push(...quotesOfBodies(answers.map(({ body }) => body)).filter(isListed))
      if (found.length >= limit) return found
    }
    if (rows.length < BUNDLES_AT_ONCE) return found
    after = String(Object(rows.at(-1)).first_quote_id)
  }
}

const listBundledOfTerms = async (
  { read }: Sql,
  terms: QuoteTerms,
  until: Instant,
): Promise<readonly QuoteRecord[]> => {
  const hash = termsHash(terms)
  const ids = [lowestQuoteId(until - LOOKBACK_MS), lowestQuoteId(until + 1)]
  const rows = await read('bundlesOfTerms', [...ids, termsPattern(hash), MOST_BUNDLES])
  const found: QuoteRecord[] = []
  for (const row of rows) {
    const answers = await decodeBundle(row)
    const equal = answers.filter((answer) => answer.hash === hash)
    found.push(...quotesOfBodies(equal.map(({ body }) => body)))
  }
  return found.filter(({ createdAt }) => createdAt >= until - LOOKBACK_MS && createdAt <= until)
}

/** Lists quotes over either database; ids start with their creation time, so older rows are not read. */
export const listQuotesMethods = (sql: Sql): Pick<Store, 'listQuotesSince' | 'listQuotesOfTerms'> => ({
  listQuotesSince: async (createdAt, limit, after) => {
    const earliest = lowestQuoteId(createdAt)
    const start = after !== undefined && after > earliest ? after : earliest
    const rows = await sql.read('answersSince', [start, after ?? '', Math.ceil(createdAt), limit])
    const bundled = await listBundled(
      sql,
      start,
      limit,
      (quote) => quote.createdAt >= createdAt && (after === undefined || quote.quoteId > after),
    )
    return together(quotesOfAnswers(rows, after, limit), bundled).slice(0, limit)
  },
  listQuotesOfTerms: async (terms, until) => {
    const times = [Math.ceil(until - LOOKBACK_MS), Math.floor(until)]
    const rows = await sql.read('answersOfTerms', [...times, termsHash(terms), MOST_ANSWERS])
    const bundled = await listBundledOfTerms(sql, terms, until)
    return together(quotesOfAnswers(rows, undefined, Number.POSITIVE_INFINITY), bundled).filter((quote) =>
      TERMS_OF_ANSWER.every((name) => quote[name] === terms[name]),
    )
  },
})
