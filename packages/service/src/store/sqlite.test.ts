import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { testAnswer } from '../../test/test-quotes.ts'
import { openSqliteStore } from './sqlite.ts'
import { writerQueue } from './sqlite-queue.ts'

const NOW = 1_790_000_000_000
const log = (): void => {}

const folder = (context: TestContext): string => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-sqlite-'))
  context.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const change = (directory: string, sql: string): void => {
  const database = new DatabaseSync(join(directory, 'openrfq.sqlite'))
  database.exec(sql)
  database.close()
}

test('a second store on the same directory is refused, the first goes on', async (context) => {
  const directory = folder(context)
  const store = await openSqliteStore({ directory, log })
  context.after(store.close)
  await assert.rejects(openSqliteStore({ directory, log }), /another process/)
  await store.saveQuotes(testAnswer(NOW, 1n))
})

test('a damaged row is an error that names the quote, not a missing one', async (context) => {
  const directory = folder(context)
  const answer = testAnswer(NOW, 1n)
  const first = await openSqliteStore({ directory, log })
  await first.saveQuotes(answer)
  await first.close()
  change(directory, "update quote_answers set body = '[1,2]'")
  const store = await openSqliteStore({ directory, log })
  context.after(store.close)
  const quoteId = answer[0]?.quoteId
  assert(quoteId !== undefined)
  await assert.rejects(store.findQuote(quoteId), (error: Error) => error.message.includes(quoteId))
})

test('rejects a migration that changed after it ran, and an unknown one', async (context) => {
  const directory = folder(context)
  await (await openSqliteStore({ directory, log })).close()
  change(directory, "update schema_migrations set hash = 'other'")
  await assert.rejects(openSqliteStore({ directory, log }), {
    name: 'StoreError',
    code: 'wrong_schema',
    message: /changed after it ran/,
  })
  change(
    directory,
    "delete from schema_migrations where name not like '0001%'; update schema_migrations set name = '9999-later.sql'",
  )
  await assert.rejects(openSqliteStore({ directory, log }), {
    name: 'StoreError',
    code: 'wrong_schema',
    message: /unknown here/,
  })
})

test('a directory that cannot be written is refused when the store opens', async (context) => {
  const directory = folder(context)
  change(directory, 'create table a (b)')
  await assert.rejects(openSqliteStore({ directory: join(directory, 'openrfq.sqlite'), log }))
})

test('a dead writer thread rejects running, waiting and later operations', async () => {
  const deaths = [
    "parentPort.once('message', () => process.exit(3))",
    "parentPort.once('message', () => { throw new Error('boom') })",
  ]
  for (const death of deaths) {
    const worker = new Worker(`const { parentPort } = require('node:worker_threads'); ${death}`, {
      eval: true,
    })
    const queue = writerQueue(worker)
    const underWay = queue.add({ kind: 'ping' })
    await new Promise((resolve) => setImmediate(resolve))
    const results = await Promise.allSettled([underWay, queue.add({ kind: 'ping' })])
    for (const result of results) assert.equal(result.status, 'rejected')
    await assert.rejects(queue.add({ kind: 'ping' }), /writer thread/)
  }
})
