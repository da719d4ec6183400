import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { testAnswer } from '../../test/test-quotes.ts'
import { openSqliteStore } from './sqlite.ts'

// SQLite waits five seconds for a lock, and these tests with it.

const NOW = 1_790_000_000_000
const log = (): void => {}

const folder = (context: TestContext): string => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-sqlite-'))
  context.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('another process that locks the database ends pings until it lets go, and nothing saved is lost', async (context) => {
  const directory = folder(context)
  const lines: string[] = []
  const store = await openSqliteStore({
    directory,
    log: (_level, event, { error } = {}) =>
      lines.push(`${event} ${error instanceof Error ? error.message : ''}`),
  })
  context.after(store.close)
  const [kept, refused, later] = [testAnswer(NOW, 1n), testAnswer(NOW + 1, 1n), testAnswer(NOW + 2, 1n)]
  await store.saveQuotes(kept)
  const other = new DatabaseSync(join(directory, 'openrfq.sqlite'))
  other.exec('begin immediate')
  await assert.rejects(store.saveQuotes(refused), /locked/)
  await assert.rejects(store.ping(), /locked/)
  other.close()
  await store.ping()
  await store.saveQuotes(later)
  assert.deepEqual(lines, ['store_write_failed database is locked', 'store_write_recovered '])
  for (const [answer, isKept] of [
    [kept, true],
    [refused, false],
    [later, true],
  ] as const) {
    const quoteId = answer[0]?.quoteId
    assert(quoteId !== undefined)
    assert.equal((await store.findQuote(quoteId)) !== undefined, isKept)
  }
})

test('a lock is waited for once for all that wait to write, and reads do not wait for it again', async (context) => {
  const directory = folder(context)
  const store = await openSqliteStore({ directory, log })
  context.after(store.close)
  const kept = testAnswer(NOW, 1n)
  const [first] = kept
  assert(first !== undefined)
  await store.saveQuotes(kept)
  const other = new DatabaseSync(join(directory, 'openrfq.sqlite'))
  other.exec('begin immediate')
  const writes = Array.from({ length: 100 }, (_, index) => store.saveQuotes(testAnswer(NOW + 1 + index, 1n)))
  const reads = Array.from({ length: 100 }, () => store.listQuotesSince(NOW, 1))
  const written = await Promise.allSettled(writes)
  // Writes of one batch are refused with the same error, after one wait; the queue sends a few batches.
  const waits = new Set(written.map((write) => (write.status === 'rejected' ? write.reason : undefined)))
  assert.ok(!waits.has(undefined) && waits.size <= 10, `${waits.size} waits`)
  for (const quotes of await Promise.all(reads)) assert.deepEqual(quotes, [first])
  other.close()
})
