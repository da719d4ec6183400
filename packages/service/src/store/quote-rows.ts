import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { createLru } from '../lib/lru.ts'
import { createPurge } from './purge.ts'
import { bodyInBundle } from './quote-bundles.ts'
import { type AnswerRow, encodeAnswer, findInAnswer } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

/** About 1 KB each. */
const REMEMBERED_QUOTES = 16_384

/** Saves, finds and purges quotes over either database. Quotes never change, so those that were read are cached. */
export const quoteMethods = (
  sql: Sql,
  save: (row: AnswerRow) => Promise<void>,
): Pick<Store, 'saveQuotes' | 'findQuote' | 'purgeQuotes'> => {
  const known = createLru<QuoteId, QuoteRecord>(REMEMBERED_QUOTES)
  const purge = createPurge(sql)
  /** Cached quotes that are older may be deleted in the database; milliseconds since 1970. */
  let droppedBefore = 0
  return {
    saveQuotes: async (quotes) => {
      if (quotes.length === 0) return
      await save(encodeAnswer(quotes))
    },
    findQuote: async (quoteId) => {
      const remembered = known.get(quoteId)
      if (remembered !== undefined && remembered.createdAt >= droppedBefore) return remembered
      const quote = await findStored(sql, quoteId)
      if (quote !== undefined) known.set(quoteId, quote)
      return quote
    },
    purgeQuotes: async (ages) => {
      droppedBefore = Math.max(droppedBefore, ages.dropBefore)
      return purge(ages)
    },
  }
}

/** An answer is put into its bundle before its row is deleted, so the rows are read first. */
const findStored = async (sql: Sql, quoteId: QuoteId): Promise<QuoteRecord | undefined> => {
  const [row] = await sql.read('findAnswer', [quoteId])
  return (row === undefined ? undefined : findInAnswer(row, quoteId)) ?? findInBundle(sql, quoteId)
}

const findInBundle = async ({ read }: Sql, quoteId: QuoteId): Promise<QuoteRecord | undefined> => {
  const [row] = await read('findBundle', [quoteId, quoteId])
  if (row === undefined) return undefined
  const body = await bodyInBundle(row, quoteId)
  return body === undefined ? undefined : findInAnswer({ last_quote_id: quoteId, body }, quoteId)
}
