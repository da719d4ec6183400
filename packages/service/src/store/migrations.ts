import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './store-error.ts'

const DIRECTORY = join(import.meta.dirname, 'migrations')

/** One migration: file name, SQL text, and a hash that detects later changes. */
export type Migration = { readonly name: string; readonly sql: string; readonly hash: string }

/** A migration recorded in a database. */
export type AppliedMigration = { readonly name: string; readonly hash: string }

/** The table of applied migrations; SQL that SQLite and PostgreSQL both accept. */
export const CREATE_MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (name text not null primary key, hash text not null)'

/**
 * All migrations of this version, in order of their names; a comment that starts with `postgres` is SQL for PostgreSQL
 * only.
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

/**
 * The migrations that a database still needs. Throws `StoreError` if it has one that this version does not know, or one whose
 * text changed after it ran.
 */
export const pendingMigrations = (
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] => {
  for (const { name, hash } of applied) {
    const same = known.find((migration) => migration.name === name)
    if (same === undefined)
      throw new StoreError(
        'wrong_schema',
        `the database was written by a later version of OpenRFQ: it holds the migration ${name}, which is unknown here`,
      )
    if (same.hash !== hash)
      throw new StoreError('wrong_schema', `the migration ${name} was changed after it ran on this database`)
  }
  const done = new Set(applied.map((migration) => migration.name))
  return known.filter((migration) => !done.has(migration.name))
}
