import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import pg from 'pg'
import { describePostgres } from '../../../test/with-postgres.ts'
import { migratePostgres } from '../../store/postgres-migrate.ts'
import { DATABASE_FILE, openSqliteStore } from '../../store/sqlite.ts'
import { checkDatabase } from './check-database.ts'

const root = mkdtempSync(join(tmpdir(), 'rfq-check-database-'))
after(() => rmSync(root, { recursive: true }))
const newFolder = (): string => mkdtempSync(join(root, 'one-'))
const log = (): void => {}

const checkFolder = async (dataDirectory: string): Promise<string> => {
  const { level, says } = await checkDatabase({ dataDirectory, databaseUrl: undefined })
  return `${level} ${says}`
}
const openIn = (directory: string) => openSqliteStore({ directory, log })
const writtenStore = async (change = ''): Promise<string> => {
  const directory = newFolder()
  await (await openIn(directory)).close()
  const database = new DatabaseSync(join(directory, DATABASE_FILE))
  database.exec(change)
  database.close()
  return directory
}
const contentOf = (directory: string): readonly unknown[] => [
  readdirSync(directory).toSorted(),
  readFileSync(join(directory, DATABASE_FILE)),
]
const FORGET_LAST = 'delete from schema_migrations where name = (select max(name) from schema_migrations)'

test('a check creates no database in an empty folder, and no folder', async () => {
  const directory = newFolder()
  assert.match(await checkFolder(directory), /^ok DATA_DIR .* has none: the service will create it$/)
  assert.deepEqual(readdirSync(directory), [])
  assert.match(await checkFolder(join(directory, 'none')), /^ok DATA_DIR .* will be created$/)
  assert.deepEqual(readdirSync(directory), [])
})

test('a check names the migrations that an earlier database needs, and makes none', async () => {
  const directory = await writtenStore(FORGET_LAST)
  const content = contentOf(directory)
  assert.match(
    await checkFolder(directory),
    /^warning this version will make 1 migrations when it starts \(\d{4}-[a-z-]+\.sql\): stop the running version/,
  )
  assert.deepEqual(contentOf(directory), content)
})

test('a check reads the database of a running service', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const files = readdirSync(directory).toSorted()
  assert.equal(await checkFolder(directory), 'ok has the schema of this version')
  assert.deepEqual(readdirSync(directory).toSorted(), files)
  await store.ping()
  await store.close()
  assert.equal(await checkFolder(directory), 'ok has the schema of this version')
})

test('a check tells a database of a later version, a file that is none, and a folder that is a file', async () => {
  const later = await writtenStore("insert into schema_migrations values ('9999-later.sql', '')")
  assert.match(await checkFolder(later), /^error The database .* was written by a later version/)
  const other = newFolder()
  writeFileSync(join(other, DATABASE_FILE), 'something else '.repeat(100))
  assert.match(await checkFolder(other), /^error The database .* is no SQLite database\. Restore a backup/)
  assert.match(await checkFolder(join(other, DATABASE_FILE)), /^error The folder .*Set DATA_DIR to a folder/)
})

describePostgres((server) => {
  const run = async (text: string): Promise<readonly unknown[]> => {
    const client = new pg.Client({ connectionString: server().url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }
  const checkServer = async (): Promise<string> => {
    const { level, says } = await checkDatabase({ dataDirectory: newFolder(), databaseUrl: server().url })
    return `${level} ${says}`
  }

  test('a check leaves an empty database empty, and an earlier one as it is', async () => {
    assert.equal(await checkServer(), 'ok is empty: the service will create its tables')
    assert.deepEqual(await run("select 1 from information_schema.tables where table_schema = 'public'"), [])
    await migratePostgres(server().url)
    assert.equal(await checkServer(), 'ok has the schema of this version')
    await run(FORGET_LAST)
    const applied = await run('select * from schema_migrations order by name')
    assert.match(await checkServer(), /^warning this version will make 1 migrations/)
    assert.deepEqual(await run('select * from schema_migrations order by name'), applied)
  })
})
