import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StoreError } from './store-error.ts'

const DIRECTORY = join(import.meta.dirname, 'migrations')

/** One migration: file name, SQL text, and a hash that detects later changes. */
export type Migration = { readonly name: string; readonly sql: string; readonly hash: string }

/** The rows of `STATEMENTS.appliedMigrations`: the migrations recorded in a database. */
export const AppliedMigrations = z.array(z.object({ name: z.string(), hash: z.string() }))
export type AppliedMigration = z.infer<typeof AppliedMigrations>[number]

/** The table of applied migrations; SQL that SQLite and PostgreSQL both accept. */
export const CREATE_MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (name text not null primary key, hash text not null)'

/**
 * All migrations of this version, in order of their names. The numbers that names begin with only grow, so that a lower
 * one is of an earlier version; a comment that starts with `postgres` is SQL for PostgreSQL only.
 */
export const readMigrations = (directory: string = DIRECTORY): readonly Migration[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    })

/** The migration's text with its PostgreSQL parts enabled. */
export const postgresText = (migration: Migration): string =>
  migration.sql.replaceAll(/\/\*postgres (.*?)\*\//g, '$1')

/** The first version of OpenRFQ whose data this version reads: its first migration is the first one here. */
const FIRST_READABLE_VERSION = '0.2.0'

const unknownMigration = (name: string, oldest: string, database: string): StoreError =>
  name < oldest
    ? new StoreError(
        'schema_too_old',
        `the database ${database} was written by a version of OpenRFQ before ${FIRST_READABLE_VERSION}, which this version cannot read: start with an empty one`,
      )
    : new StoreError(
        'schema_too_new',
        `the database ${database} was written by a later version of OpenRFQ, which made the migration ${name}: run that version, or start with an empty one`,
      )

/**
 * The migrations that a database still needs; `database` names it in errors. Throws `StoreError` if an earlier or a later
 * version wrote it, or if a migration was changed after it ran.
 */
export const pendingMigrations = (
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
  database: string,
): readonly Migration[] => {
  const [oldest] = known
  assert(oldest !== undefined, 'this version has no migrations')
  for (const { name, hash } of applied) {
    const same = known.find((migration) => migration.name === name)
    if (same === undefined) throw unknownMigration(name, oldest.name, database)
    if (same.hash !== hash)
      throw new StoreError(
        'schema_changed',
        `the migration ${name} was changed after it ran on the database ${database}: run the version that wrote it, or start with an empty one`,
      )
  }
  const done = new Set(applied.map((migration) => migration.name))
  return known.filter((migration) => !done.has(migration.name))
}
