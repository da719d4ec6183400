import { resolve } from 'node:path'
import type { Log } from '../lib/log.ts'
import { openPostgresStore } from '../store/postgres.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { StoreError, type StoreErrorCode } from '../store/store-error.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'

const EMPTY_PLACE = 'Set DATA_DIR to an empty folder, or DATABASE_URL to an empty database.'

const MENDS = {
  in_use: 'One process may use a folder: stop the other one, or set DATA_DIR to another folder.',
  not_a_folder: 'Set DATA_DIR to a folder.',
  not_writable: 'Let this user write there, or set DATA_DIR to another folder.',
  disk_full: 'Make room, or set DATA_DIR to another folder.',
  damaged: 'Restore a backup, or set DATA_DIR to another folder.',
  no_store: 'Set DATA_DIR to the folder of the data to back up.',
  backup_exists: 'Name another folder.',
  unreachable: 'Start PostgreSQL, correct DATABASE_URL, or unset it to use the embedded store.',
  login_refused: 'Correct the user and password in DATABASE_URL.',
  no_database: 'Create the database, or correct DATABASE_URL.',
  schema_too_old: EMPTY_PLACE,
  schema_too_new: EMPTY_PLACE,
  schema_changed: EMPTY_PLACE,
  replaced: 'Restart the service.',
} as const satisfies Record<StoreErrorCode, string>

/** Opens a store of the configuration. Rejects with `StartError` that says how to fix the problem. */
export type OpenStore = (config: Pick<Config, 'dataDirectory' | 'databaseUrl'>, log: Log) => Promise<Store>

/** Opens the configured store. */
export const openStore: OpenStore = async ({ dataDirectory, databaseUrl }, log) => {
  try {
    return databaseUrl === undefined
      ? await openSqliteStore({ directory: resolve(dataDirectory), log })
      : await openPostgresStore({ url: databaseUrl, log })
  } catch (cause) {
    throw withMend(cause)
  }
}

/**
 * Opens the store of a sandbox. The sandbox starts new chains with each process, so this function empties the store; the
 * store has a folder of its own, `sandbox`, so that nothing else is deleted. A PostgreSQL database is used as it is.
 */
export const openSandboxStore: OpenStore = async ({ dataDirectory, databaseUrl }, log) => {
  if (databaseUrl !== undefined) return openStore({ dataDirectory, databaseUrl }, log)
  try {
    return await openSqliteStore({ directory: resolve(dataDirectory, 'sandbox'), log, earlier: 'deleted' })
  } catch (cause) {
    throw withMend(cause)
  }
}

/** A `StoreError` as a `StartError` that says how to fix the problem; any other error unchanged. */
export const withMend = (cause: unknown): unknown =>
  cause instanceof StoreError
    ? new StartError(`${capitalised(cause.message)}. ${MENDS[cause.code]}`, { cause })
    : cause

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
