import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { postgresSchemaState, type SchemaState, sqliteSchemaState } from '../../store/applied-migrations.ts'
import type { Config } from '../config.ts'
import { withMend } from '../open-store.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

const SUBJECT = 'database'

const findingOf = ({ applied, pending }: SchemaState): Finding => {
  if (pending.length === 0) return fine(SUBJECT, 'has the schema of this version')
  if (applied === 0) return fine(SUBJECT, 'is empty: the service will create its tables')
  const names = pending.map(({ name }) => name).join(', ')
  return doubtful(
    SUBJECT,
    `this version will make ${pending.length} migrations when it starts (${names}): stop the running version and back it up before`,
  )
}

/** Compares the database with this version's schema; creates and changes nothing. */
export const checkDatabase = async ({
  dataDirectory,
  databaseUrl,
}: Pick<Config, 'dataDirectory' | 'databaseUrl'>): Promise<Finding> => {
  try {
    if (databaseUrl !== undefined) return findingOf(await postgresSchemaState(databaseUrl))
    if (!existsSync(dataDirectory)) return fine(SUBJECT, `DATA_DIR ${dataDirectory} will be created`)
    const state = sqliteSchemaState(resolve(dataDirectory))
    return state === undefined
      ? fine(SUBJECT, `DATA_DIR ${dataDirectory} has none: the service will create it`)
      : findingOf(state)
  } catch (error) {
    const told = withMend(error)
    return wrong(SUBJECT, told instanceof Error ? told.message : String(told))
  }
}
