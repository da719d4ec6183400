import { CodedError } from '../lib/coded-error.ts'

/** Why a store cannot be opened, read or copied. */
export type StoreErrorCode =
  | 'in_use'
  | 'not_a_folder'
  | 'not_writable'
  | 'disk_full'
  | 'damaged'
  | 'no_store'
  | 'backup_exists'
  | 'unreachable'
  | 'login_refused'
  | 'no_database'
  | 'schema_too_old'
  | 'schema_too_new'
  | 'schema_changed'
  | 'replaced'

/** A store cannot be opened, read or copied; the message names the file, folder or server and the reason, without secrets. */
export class StoreError extends CodedError<StoreErrorCode> {}
