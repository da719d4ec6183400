import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QuoteId } from '../src/core/quote-id.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import { testAnswer } from './test-quotes.ts'

/**
 * Fills the disk that a folder lies on while a store writes there, and makes room again. Prints as JSON what the store
 * answered.
 */
const NOW = 1_790_000_000_000
const MOST_ANSWERS = 5_000

const [folder = ''] = process.argv.slice(2)
const filler = join(folder, 'filler')
const store = await openSqliteStore({ directory: folder, log: () => {} })

const isPinged = (): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  )

const before = await isPinged()
const { bavail, bsize } = statfsSync(folder)
writeFileSync(filler, Buffer.alloc(Math.max(0, (bavail - 32) * bsize)))
const saved: QuoteId[] = []
let failed = false
for (let count = 1; count <= MOST_ANSWERS && !failed; count += 1) {
  const answer = testAnswer(NOW, BigInt(count) * 10n)
  try {
    await store.saveQuotes(answer)
    saved.push(...answer.slice(0, 1).map(({ quoteId }) => quoteId))
  } catch {
    failed = true
  }
}
const whileFull = await isPinged()
rmSync(filler)
const after = await isPinged()
await store.close()
const reopened = await openSqliteStore({ directory: folder, log: () => {} })
let lost = 0
for (const quoteId of saved) if ((await reopened.findQuote(quoteId)) === undefined) lost += 1
await reopened.close()
process.stdout.write(JSON.stringify({ before, failed, whileFull, after, saved: saved.length, lost }))
