import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { expectWritableFolder } from './data-folder.ts'
import {
  type AppliedMigration,
  AppliedMigrations,
  type Migration,
  pendingMigrations,
  readMigrations,
} from './migrations.ts'
import { withPostgresClient } from './postgres-client.ts'
import { serverOf } from './postgres-open-error.ts'
import { DATABASE_FILE } from './sqlite.ts'
import { sqliteOpenError } from './sqlite-open-error.ts'
import { STATEMENTS } from './statements.ts'

const DEADLINE_MS = 5000

/** What a database has of this version's schema. */
export type SchemaState = {
  readonly applied: number
  readonly pending: readonly Migration[]
}

const stateOf = (applied: readonly AppliedMigration[], database: string): SchemaState => ({
  applied: applied.length,
  pending: pendingMigrations(readMigrations(), applied, database),
})

/** Without a write-ahead log no process has the file open, and SQLite reads it without files beside it. */
const readOnly = (file: string): DatabaseSync => {
  const url = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true, timeout: DEADLINE_MS })
}

const sqliteRows = (file: string): readonly unknown[] => {
  let database: DatabaseSync | undefined
  try {
    database = readOnly(file)
    const table = database.prepare("select 1 from sqlite_master where name = 'schema_migrations'").get()
    return table === undefined ? [] : database.prepare(STATEMENTS.appliedMigrations).all()
  } catch (cause) {
    throw sqliteOpenError(file, cause)
  } finally {
    database?.close()
  }
}

/**
 * Reads the state of the embedded store in a folder and changes nothing, also while a service uses it; undefined where
 * there is none. Throws `StoreError` if this user cannot use the folder or the file, or another version wrote it.
 */
export const sqliteSchemaState = (folder: string): SchemaState | undefined => {
  expectWritableFolder(folder)
  const file = join(folder, DATABASE_FILE)
  return existsSync(file) ? stateOf(AppliedMigrations.parse(sqliteRows(file)), file) : undefined
}

/**
 * Reads the state of a PostgreSQL database in a transaction that cannot write. Rejects with `StoreError` if the database
 * cannot be reached or another version wrote it.
 */
export const postgresSchemaState = (url: string): Promise<SchemaState> =>
  withPostgresClient(
    url,
    { application_name: 'openrfq check', query_timeout: DEADLINE_MS },
    async (client) => {
      await client.query('begin transaction read only')
      const { rows: tables } = await client.query(
        "select 1 where to_regclass('schema_migrations') is not null",
      )
      const { rows } = tables.length === 0 ? { rows: [] } : await client.query(STATEMENTS.appliedMigrations)
      return stateOf(AppliedMigrations.parse(rows), serverOf(url))
    },
  )
