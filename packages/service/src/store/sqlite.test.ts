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
import { StoreError } from './store-error.ts'

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

test('rejects a second store on the same directory, and the first continues', async (context) => {
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

/** The error of a store with an unreadable schema, which names its file. */
const refusal = (directory: string, code: string, message: RegExp) => (error: unknown) => {
  assert(error instanceof StoreError)
  assert.equal(error.code, code)
  assert.match(error.message, message)
  assert.ok(error.message.includes(join(directory, 'openrfq.sqlite')), error.message)
  return true
}

test('rejects a migration that changed after it ran, and one of a later version', async (context) => {
  const directory = folder(context)
  await (await openSqliteStore({ directory, log })).close()
  change(directory, "update schema_migrations set hash = 'other'")
  const changed = refusal(directory, 'schema_changed', /was changed after it ran/)
  await assert.rejects(openSqliteStore({ directory, log }), changed)
  const other = folder(context)
  await (await openSqliteStore({ directory: other, log })).close()
  change(other, "insert into schema_migrations values ('0999-later.sql', 'hash')")
  const later = refusal(other, 'schema_too_new', /later version.* 0999-later\.sql/)
  await assert.rejects(openSqliteStore({ directory: other, log }), later)
})

test('of two transfers that an earlier version stored for one message, that of the earlier quote owns it', async (context) => {
  const directory = folder(context)
  const ids = testAnswer(NOW, 1n, 3).map(({ quoteId }) => quoteId)
  await (await openSqliteStore({ directory, log })).close()
  const rowOf = (quoteId: string, state: string): string =>
    `('${quoteId}', '0xaa-0', 1, 0, '{"state":"${state}","source":null,"destination":null,"output":null,"refund":null,"details":{}}')`
  const rows = ids.map((quoteId, index) => rowOf(quoteId, index === 0 ? 'AWAITING_DEPOSIT' : 'FAILED'))
  change(
    directory,
    'drop index owned_messages; alter table transfers drop column owned_message_id; ' +
      "delete from schema_migrations where name like '%owned-messages.sql'; " +
      `insert into transfers (quote_id, message_id, revision, is_open, body) values ${rows.join(', ')}`,
  )
  const store = await openSqliteStore({ directory, log })
  context.after(store.close)
  assert.equal(await store.findMessageOwner('0xaa-0'), ids[1])
  const [, , last] = ids
  assert.ok(last !== undefined)
  assert.equal((await store.findTransfer(last, '0xaa-0'))?.state, 'FAILED')
})

test('rejects data of a version before 0.2.0, and leaves it unchanged', async (context) => {
  const directory = folder(context)
  const old =
    "create table schema_migrations (name text not null primary key, hash text not null); create table outbox (a); insert into outbox values ('signed'); "
  change(
    directory,
    `${old} insert into schema_migrations values ('0001-quotes-and-transfers.sql', 'a'), ('0002-chain-events-and-outbox.sql', 'b')`,
  )
  const tooOld = refusal(directory, 'schema_too_old', /a version of OpenRFQ before 0\.2\.0/)
  await assert.rejects(openSqliteStore({ directory, log }), tooOld)
  const database = new DatabaseSync(join(directory, 'openrfq.sqlite'), { readOnly: true })
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['outbox', 'schema_migrations'],
  )
  assert.equal(database.prepare('select a from outbox').get()?.['a'], 'signed')
  database.close()
})

test('rejects a directory that cannot be written when the store opens', async (context) => {
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
