import { resolve } from 'node:path'
import { ConfigError } from '../core/config-error.ts'
import { type Backup, backUpSqliteStore } from '../store/sqlite-backup.ts'
import { readConfig } from './config.ts'
import { withMend } from './open-store.ts'

/**
 * Backs up the embedded store of the environment into a folder; the service may be running. Throws `ConfigError` if the
 * store is in PostgreSQL, which has tools of its own, and `StartError` that says how to fix the problem.
 */
export const backUp = (environment: Readonly<Record<string, string | undefined>>, to: string): Backup => {
  const { dataDirectory, databaseUrl } = readConfig(environment)
  if (databaseUrl !== undefined)
    throw new ConfigError(
      'DATABASE_URL selects PostgreSQL; back it up with pg_dump --format=custom, and restore with pg_restore',
    )
  try {
    return backUpSqliteStore(resolve(dataDirectory), resolve(to))
  } catch (error) {
    throw withMend(error)
  }
}
