import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StoreError, type StoreErrorCode } from './store-error.ts'

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

const REASONS: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  EEXIST: ['not_a_folder', 'is a file'],
  ENOTDIR: ['not_a_folder', 'lies below a file'],
  ENOENT: ['not_writable', 'cannot be made there'],
  EACCES: ['not_writable', 'cannot be written by this user'],
  EPERM: ['not_writable', 'cannot be written by this user'],
  EROFS: ['not_writable', 'lies on a file system that is read-only'],
  ENOSPC: ['disk_full', 'lies on a full disk'],
  EDQUOT: ['disk_full', 'lies on a disk whose quota is used up'],
}

/**
 * Creates a folder and an empty file in it where missing, both readable by this user only. Returns the file's path.
 * Throws `StoreError` when the folder is a file or cannot be written.
 */
export const prepareDataFile = (folder: string, name: string): string => {
  const file = join(folder, name)
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.W_OK)
    closeSync(openSync(file, 'a', PRIVATE_FILE))
    return file
  } catch (cause) {
    throw folderError(folder, cause)
  }
}

/** Throws `StoreError` unless this user can write in an existing folder; creates nothing. */
export const expectWritableFolder = (folder: string): void => {
  if (!statSync(folder).isDirectory()) throw new StoreError('not_a_folder', `the folder ${folder} is a file`)
  try {
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw folderError(folder, cause)
  }
}

const folderError = (folder: string, cause: unknown): StoreError => {
  const { code } = Object(cause)
  const [reason, text] = REASONS[String(code)] ?? ['not_writable', `cannot be used (${String(code)})`]
  return new StoreError(reason, `the folder ${folder} ${text}`, { cause })
}

/**
 * Creates a folder and its missing parents. Unlike Node's recursive mkdir it ends when the system reports an existing
 * folder as missing, as for `/proc`.
 */
const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, PRIVATE_FOLDER)
  } catch (error) {
    const { code } = Object(error)
    if (code === 'ENOENT' && !existsSync(dirname(folder))) {
      makeFolder(dirname(folder))
      mkdirSync(folder, PRIVATE_FOLDER)
    } else if (code !== 'EEXIST' || !statSync(folder).isDirectory()) {
      throw error
    }
  }
}
