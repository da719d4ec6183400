import type pg from 'pg'
import {
  AppliedMigrations,
  CREATE_MIGRATIONS_TABLE,
  type Migration,
  pendingMigrations,
  postgresText,
  readMigrations,
} from './migrations.ts'
import { withPostgresClient } from './postgres-client.ts'
import { serverOf } from './postgres-open-error.ts'
import { STATEMENTS } from './statements.ts'

/** Long enough to wait for another process that migrates at the same time. */
const MIGRATION_DEADLINE_MS = 60_000
/** An arbitrary lock number that nothing else in the database uses. */
const LOCK_KEY = 7_218_003_461

const migrateWith = async (
  client: pg.Client,
  migrations: readonly Migration[],
  database: string,
): Promise<void> => {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY])
  await client.query(CREATE_MIGRATIONS_TABLE)
  const { rows } = await client.query(STATEMENTS.appliedMigrations)
  for (const migration of pendingMigrations(migrations, AppliedMigrations.parse(rows), database)) {
    await client.query(postgresText(migration))
    await client.query(STATEMENTS.rememberMigration, [migration.name, migration.hash])
  }
  await client.query('commit')
}

/**
 * Migrates the database schema in one transaction; concurrent processes wait for each other. Rejects with `StoreError` if the
 * database cannot be reached or another version wrote it.
 */
export const migratePostgres = (
  url: string,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> =>
  withPostgresClient(
    url,
    {
      application_name: 'openrfq migration',
      statement_timeout: MIGRATION_DEADLINE_MS,
      query_timeout: MIGRATION_DEADLINE_MS,
    },
    (client) => migrateWith(client, migrations, serverOf(url)),
  )
