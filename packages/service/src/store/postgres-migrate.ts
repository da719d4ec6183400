import pg from 'pg'
import { z } from 'zod'
import {
  CREATE_MIGRATIONS_TABLE,
  type Migration,
  pendingMigrations,
  postgresText,
  readMigrations,
} from './migrations.ts'
import { STATEMENTS } from './statements.ts'

const CONNECT_DEADLINE_MS = 5000
/** Covers the wait for another process that migrates at the same moment. */
const MIGRATION_DEADLINE_MS = 60_000
/** Any number that nothing else in the database locks. */
const LOCK_KEY = 7_218_003_461

const AppliedRows = z.array(z.object({ name: z.string(), hash: z.string() }))

const migrateWith = async (client: pg.Client, migrations: readonly Migration[]): Promise<void> => {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY])
  await client.query(CREATE_MIGRATIONS_TABLE)
  const { rows } = await client.query(STATEMENTS.appliedMigrations)
  for (const migration of pendingMigrations(migrations, AppliedRows.parse(rows))) {
    await client.query(postgresText(migration))
    await client.query(STATEMENTS.rememberMigration, [migration.name, migration.hash])
  }
  await client.query('commit')
}

/**
 * Brings the schema of the database up to date in one transaction; processes that start together wait for one another.
 * Rejects with Error when the database cannot be reached or holds steps that are not ours.
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
  // The query under way rejects as well; without a listener the event alone would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await migrateWith(client, migrations)
  } finally {
    await client.end()
  }
}
