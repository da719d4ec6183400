import { firstQuoteId } from '../core/quote-id.ts'
import { quotesOfAnswers } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'
import { termsHash } from './terms-hash.ts'

const TERMS_OF_ANSWER = ['fromChain', 'fromToken', 'toChain', 'toToken', 'sender', 'recipient'] as const
const LOOKBACK_MS = 300_000
/** A client that asks every five seconds makes 60 answers. */
const MOST_ANSWERS = 200

/** Lists quotes over either database; ids start with their creation time, so older rows are not read. */
export const listQuotesMethods = ({ read }: Sql): Pick<Store, 'listQuotesSince' | 'listQuotesOfTerms'> => ({
  listQuotesSince: async (createdAt, limit, after) => {
    const earliest = firstQuoteId(Math.max(0, Math.floor(createdAt)), 0n)
    const start = after !== undefined && after > earliest ? after : earliest
    const rows = await read('answersSince', [start, after ?? '', Math.ceil(createdAt), limit])
    return quotesOfAnswers(rows, after, limit)
  },
  listQuotesOfTerms: async (terms, until) => {
    const times = [Math.ceil(until - LOOKBACK_MS), Math.floor(until)]
    const rows = await read('answersOfTerms', [...times, termsHash(terms), MOST_ANSWERS])
    return quotesOfAnswers(rows, undefined, Number.POSITIVE_INFINITY)
      .filter((quote) => TERMS_OF_ANSWER.every((name) => quote[name] === terms[name]))
      .sort((one, other) => (one.quoteId < other.quoteId ? -1 : 1))
  },
})
