import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { prepareDataFile } from './data-folder.ts'
import { DATABASE_FILE } from './sqlite.ts'
import { sqliteOpenError } from './sqlite-open-error.ts'
import { StoreError } from './store-error.ts'

/** A finished backup: its database file, and the size in bytes. */
export type Backup = { readonly file: string; readonly bytes: number }

const LOCK_DEADLINE_MS = 10_000

const act = <Value>(file: string, work: () => Value): Value => {
  try {
    return work()
  } catch (cause) {
    throw sqliteOpenError(file, cause)
  }
}

const sync = (path: string): void => {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/**
 * Copies the embedded store of one folder into another, which is created, while a process may be writing to it. The
 * backup has everything that was answered before the call, and is durable and complete once its file exists. Throws
 * `StoreError` if there is no store, if the folder has a database already, and if either cannot be used.
 */
export const backUpSqliteStore = (from: string, to: string): Backup => {
  const [source, file] = [join(from, DATABASE_FILE), join(to, DATABASE_FILE)]
  if (!existsSync(source))
    throw new StoreError('no_store', `there is no ${DATABASE_FILE} in the folder ${from}`)
  if (existsSync(file)) throw new StoreError('backup_exists', `the file ${file} exists already`)
  const partial = prepareDataFile(to, `${DATABASE_FILE}.partial`)
  try {
    // An earlier backup may have been interrupted.
    truncateSync(partial)
    const database = act(source, () => new DatabaseSync(source, { timeout: LOCK_DEADLINE_MS }))
    try {
      act(source, () => database.prepare('select count(*) from schema_migrations').get())
      act(partial, () => database.prepare('vacuum into ?').run(partial))
    } finally {
      database.close()
    }
    sync(partial)
    renameSync(partial, file)
    sync(to)
  } finally {
    rmSync(partial, { force: true })
  }
  return { file, bytes: statSync(file).size }
}
