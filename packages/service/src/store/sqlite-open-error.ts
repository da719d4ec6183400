import { StoreError, type StoreErrorCode } from './store-error.ts'

/** Primary result codes of SQLite. Source: sqlite.org/rescode.html. */
const REASONS: Readonly<Record<number, readonly [StoreErrorCode, string]>> = {
  5: ['in_use', 'is used by another process'],
  6: ['in_use', 'is used by another process'],
  8: ['not_writable', 'cannot be written'],
  11: ['damaged', 'is damaged'],
  13: ['disk_full', 'lies on a full disk'],
  14: ['not_writable', 'cannot be opened'],
  26: ['damaged', 'is no SQLite database'],
}
const PRIMARY_CODE = 0xff

/** Why SQLite could not open a database file, from the writer thread's error; any other error unchanged. */
export const sqliteOpenError = (file: string, error: unknown): unknown => {
  const { name, code, errcode, message } = Object(error)
  // The class of an error is lost between threads.
  if (name === 'StoreError') return new StoreError(code, message, { cause: error })
  const reason = REASONS[Number(errcode) & PRIMARY_CODE]
  if (reason === undefined) return error
  return new StoreError(reason[0], `the database ${file} ${reason[1]}`, { cause: error })
}
