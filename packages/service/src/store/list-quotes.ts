import { firstQuoteId } from '../core/quote-id.ts'
import { quotesOfAnswers } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

/** Lists quotes over either database; ids start with their creation time, so older rows are not read. */
export const listQuotesMethods = ({ read }: Sql): Pick<Store, 'listQuotesSince'> => ({
  listQuotesSince: async (createdAt, limit, after) => {
    const earliest = firstQuoteId(Math.max(0, Math.floor(createdAt)), 0n)
    const start = after !== undefined && after > earliest ? after : earliest
    const rows = await read('answersSince', [start, after ?? '', Math.ceil(createdAt), limit])
    return quotesOfAnswers(rows, after, limit)
  },
})
