import { z } from 'zod'
import type { Instant } from '../core/instant.ts'
import { lowestQuoteId } from '../core/quote-id.ts'
import { type BundledAnswer, decodeBundle, encodeBundle } from './quote-bundles.ts'
import { StoredId } from './rows.ts'
import type { Sql } from './sql.ts'
import { BUNDLE_SIZE, PURGE_PAGE_SIZE } from './statements.ts'

/** Answers made before `compactBefore` are put into bundles; unused ones made before `dropBefore` are deleted. */
export type QuoteAges = { readonly compactBefore: Instant; readonly dropBefore: Instant }

/** The size of one page of answers; PostgreSQL returns counts as text. */
const PurgePage = z.object({
  through: z.string().nullable(),
  oldest: z.coerce.number().nullable(),
  size: z.coerce.number(),
})

/** 64,000 answers per call. */
const MOST_BUNDLES = 500
/** 20,000 answers per call. */
const MOST_PAGES = 20

const AnswerToBundle = z
  .object({
    first_quote_id: z.string(),
    last_quote_id: z.string(),
    terms_hash: z.nullable(z.coerce.number()),
    body: z.string(),
  })
  .transform(({ first_quote_id: first, last_quote_id: last, terms_hash: hash, body }) => ({
    first,
    last,
    body,
    hash: hash ?? undefined,
  }))
const AnswersToBundle = z.array(AnswerToBundle)

/**
 * Puts the oldest answers into one bundle and returns whether there were enough. The bundle is saved before the answers are
 * deleted, so an interruption leaves some twice and loses none. Answers that are used by then stay as they are, too.
 */
const compactOnce = async ({ read, change }: Sql, before: string): Promise<boolean> => {
  const answers = AnswersToBundle.parse(await read('answersToBundle', [before]))
  const [first, last] = [answers[0], answers.at(-1)]
  if (answers.length < BUNDLE_SIZE || first === undefined || last === undefined) return false
  const { terms, body } = await encodeBundle(answers)
  const saved = await change('saveBundle', [first.first, last.last, terms, body])
  // Another process saved one that overlaps.
  if (saved === 0) return false
  await change(
    'dropBundled',
    answers.map((answer) => answer.first),
  )
  return true
}

const AgedBundle = z.object({ first_quote_id: z.string(), last_quote_id: z.string() })
const Named = z.array(z.object({ quote_id: StoredId }).transform((row) => row.quote_id))

/** Deletes the unused answers of a bundle and returns their number; 0 if one was used meanwhile. */
const dropUnused = async ({ read, change }: Sql, first: string, last: string): Promise<number> => {
  const named = Named.parse(await read('namedQuotes', [first, last]))
  const kept = named.length === 0 ? [] : await usedOf({ read }, first, named)
  if (kept.length === 0) return (await change('dropBundle', [first, named.length])) === 0 ? 0 : BUNDLE_SIZE
  const { terms, body } = await encodeBundle(kept)
  const changed = await change('keepBundle', [first, terms, body, named.length])
  return changed === 0 ? 0 : BUNDLE_SIZE - kept.length
}

const usedOf = async (
  { read }: Pick<Sql, 'read'>,
  first: string,
  named: readonly string[],
): Promise<readonly BundledAnswer[]> => {
  const [row] = await read('findBundle', [first, first])
  const answers = row === undefined ? [] : await decodeBundle(row)
  return answers.filter(({ body }) => named.some((quoteId) => body.includes(`"${quoteId}"`)))
}

const dropAgedBundles = async (sql: Sql, before: string): Promise<number> => {
  const rows = await sql.read('agedBundles', [before, MOST_BUNDLES])
  let dropped = 0
  for (const row of rows) {
    const { first_quote_id: first, last_quote_id: last } = AgedBundle.parse(row)
    dropped += await dropUnused(sql, first, last)
  }
  return dropped
}

/**
 * Creates a purge, which keeps unused quotes small and deletes them in the end; a call returns how many answers it deleted.
 * An answer with a transfer, a payment or a solver's order is used and never deleted. Answers older than `compactBefore`
 * move into bundles, in the order of their ids; a call moves at most 64,000 and reads at most 20,000 others, and the next
 * call goes on where it stopped.
 */
export const createPurge = (sql: Sql) => {
  let after = ''
  /** Answers that are in no bundle: used ones, and those that were saved later than younger ones. */
  const dropLoose = async (before: Instant): Promise<number> => {
    let dropped = 0
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const from = after
      const [row] = await sql.read('purgePage', [from, PURGE_PAGE_SIZE])
      const { through, oldest, size } = PurgePage.parse(row)
      const isOld = through !== null && Number(oldest) < before
      if (isOld) dropped += await sql.change('purge', [from, through, before])
      if (size < PURGE_PAGE_SIZE || !isOld) {
        after = ''
        return dropped
      }
      after = through
    }
    return dropped
  }
  return async ({ compactBefore, dropBefore }: QuoteAges): Promise<number> => {
    const dropped = await dropAgedBundles(sql, lowestQuoteId(dropBefore))
    const loose = await dropLoose(dropBefore)
    for (let bundles = 0; bundles < MOST_BUNDLES; bundles += 1)
      if (!(await compactOnce(sql, lowestQuoteId(compactBefore)))) break
    return dropped + loose
  }
}
