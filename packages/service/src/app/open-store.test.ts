import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { testAnswer } from '../../test/test-quotes.ts'
import { openSandboxStore, openStore } from './open-store.ts'
import { StartError } from './start-error.ts'

const log = (): void => {}

const newFolder = (context: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-open-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const open = (dataDirectory: string, databaseUrl?: string) => openStore({ dataDirectory, databaseUrl }, log)

/** Asserts that opening a store fails with one line that contains all given parts. */
const assertRefused = async (opening: Promise<unknown>, ...parts: readonly string[]): Promise<void> => {
  await assert.rejects(opening, (error: unknown) => {
    assert(error instanceof StartError, String(error))
    assert.doesNotMatch(error.message, /\n/)
    for (const part of parts) assert(error.message.includes(part), `${part} in: ${error.message}`)
    return true
  })
}

test('rejects a folder that another process uses, and a file in its place', async (context) => {
  const folder = newFolder(context)
  const store = await open(join(folder, 'data'))
  context.after(store.close)
  await assertRefused(open(join(folder, 'data')), 'is used by another process', 'set DATA_DIR')
  writeFileSync(join(folder, 'file'), '')
  await assertRefused(open(join(folder, 'file')), `The folder ${folder}/file is a file`, 'Set DATA_DIR')
  await assertRefused(open(join(folder, 'file', 'below')), 'lies below a file', 'Set DATA_DIR')
})

test("a sandbox's store is empty at each start, and leaves the configured one and that of a running sandbox alone", async (context) => {
  const config = { dataDirectory: newFolder(context), databaseUrl: undefined }
  const answer = testAnswer(1_790_000_000_000, 1n)
  const quoteId = answer[0]?.quoteId
  assert.ok(quoteId !== undefined)
  const configured = await openStore(config, log)
  context.after(configured.close)
  await configured.saveQuotes(answer)
  const first = await openSandboxStore(config, log)
  await first.saveQuotes(answer)
  await assertRefused(openSandboxStore(config, log), 'is used by another process')
  assert.ok((await first.findQuote(quoteId)) !== undefined)
  await first.close()
  const second = await openSandboxStore(config, log)
  context.after(second.close)
  assert.equal(await second.findQuote(quoteId), undefined)
  assert.ok((await configured.findQuote(quoteId)) !== undefined)
})

test('the data folder and the database are readable by their owner only', async (context) => {
  const folder = newFolder(context)
  await (await open(join(folder, 'data'))).close()
  assert.equal(statSync(join(folder, 'data')).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, 'data', 'openrfq.sqlite')).mode & 0o777, 0o600)
})

test('rejects a database of another version, and a file that is not a database', async (context) => {
  const folder = newFolder(context)
  const file = join(folder, 'openrfq.sqlite')
  const store = await open(folder)
  await store.close()
  const change = (sql: string): void => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  change("insert into schema_migrations values ('9999-later.sql', 'hash')")
  await assertRefused(
    open(folder),
    file,
    'later version',
    '9999-later.sql',
    'Set DATA_DIR to an empty folder',
  )
  change(
    "delete from schema_migrations; insert into schema_migrations values ('0003-ledger-payments.sql', 'hash')",
  )
  await assertRefused(open(folder), file, 'before 0.2.0', 'Set DATA_DIR to an empty folder')
  writeFileSync(join(folder, 'openrfq.sqlite'), 'not a database, but long enough to have a header'.repeat(20))
  await assertRefused(open(folder), 'is no SQLite database', 'Restore a backup')
})

test('a PostgreSQL that does not answer is an error without the password', async () => {
  const url = 'postgres://user:secret@127.0.0.1:1/quotes'
  await assertRefused(open('unused', url), '127.0.0.1:1/quotes', 'ECONNREFUSED', 'DATABASE_URL')
  await assert.rejects(open('unused', url), (error: Error) => !error.message.includes('secret'))
})

test('a PostgreSQL that accepts connections and stays silent is an error that says so in seconds', async (context) => {
  const silent = createServer()
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  context.after(() => silent.close())
  // CAST: a listening TCP server has an address.
  const { port } = silent.address() as AddressInfo
  const url = `postgres://user:secret@127.0.0.1:${port}/quotes`
  const opening = open('unused', url)
  await assertRefused(opening, `127.0.0.1:${port}/quotes`, 'no answer in 5 s', 'DATABASE_URL')
  await assert.rejects(opening, (error: Error) => !error.message.includes('secret'))
})
