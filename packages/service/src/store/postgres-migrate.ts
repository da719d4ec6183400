import pg from 'pg'
import { z } from 'zod'
import {
  CREATE_MIGRATIONS_TABLE,
  type Migration,
  pendingMigrations,
  postgresText,
  readMigrations,
} from './migrations.ts'
import { postgresOpenError, serverOf } from './postgres-open-error.ts'
import { STATEMENTS } from './statements.ts'

const CONNECT_DEADLINE_MS = 5000
/** Long enough to wait for another process that migrates at the same time. */
const MIGRATION_DEADLINE_MS = 60_000
/** An arbitrary lock number that nothing else in the database uses. */
const LOCK_KEY = 7_218_003_461

const AppliedRows = z.array(z.object({ name: z.string(), hash: z.string() }))

const migrateWith = async (
  client: pg.Client,
  migrations: readonly Migration[],
  database: string,
): Promise<void> => {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY])
  await client.query(CREATE_MIGRATIONS_TABLE)
  const { rows } = await client.query(STATEMENTS.appliedMigrations)
  for (const migration of pendingMigrations(migrations, AppliedRows.parse(rows), database)) {
    await client.query(postgresText(migration))
    await client.query(STATEMENTS.rememberMigration, [migration.name, migration.hash])
  }
  await client.query('commit')
}

/**
 * Migrates the database schema in one transaction; concurrent processes wait for each other. Rejects with `StoreError` if the
 * database cannot be reached or another version wrote it.
 */
export const migratePostgres = async (
  url: string,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'openrfq migration',
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    statement_timeout: MIGRATION_DEADLINE_MS,
    query_timeout: MIGRATION_DEADLINE_MS,
  })
  // The running query rejects as well; an unhandled event would end the process.
  client.on('error', () => {})
  await client.connect().catch((cause: unknown) => {
    throw postgresOpenError(url, cause)
  })
  try {
    await migrateWith(client, migrations, serverOf(url))
  } finally {
    await client.end()
  }
}
