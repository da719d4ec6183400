import pg from 'pg'
import { StoreError } from './store-error.ts'

const WRONG_LOGIN = /^28/
const NO_DATABASE = '3D000'
/** How long PostgreSQL may take to accept a connection, in milliseconds. */
export const CONNECT_DEADLINE_MS = 5_000
/** The driver's error after that time has no code. */
const SILENT = /^timeout expired$/

/** Why no connection to PostgreSQL was made; the message names the server and the database, never the password. */
export const postgresOpenError = (url: string, error: unknown): StoreError => {
  const server = serverOf(url)
  if (!(error instanceof pg.DatabaseError)) {
    const { code, message } = Object(error)
    const reason = SILENT.test(message) ? `no answer in ${CONNECT_DEADLINE_MS / 1000} s` : (code ?? message)
    return new StoreError('unreachable', `no PostgreSQL answers at ${server} (${reason})`, {
      cause: error,
    })
  }
  const options = { cause: error }
  if (WRONG_LOGIN.test(error.code ?? ''))
    return new StoreError('login_refused', `the PostgreSQL at ${server} refuses the login`, options)
  if (error.code === NO_DATABASE)
    return new StoreError('no_database', `the PostgreSQL at ${server} has no such database`, options)
  return new StoreError('unreachable', `the PostgreSQL at ${server} refuses: ${error.message}`, options)
}

/** Host, port and database of a connection string. */
export const serverOf = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? 'the address of DATABASE_URL' : `${parsed.host}${parsed.pathname}`
}
