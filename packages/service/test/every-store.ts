import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { openPostgresStore } from '../src/store/postgres.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { type PrivatePostgres, postgresBinaries, startPrivatePostgres } from './private-postgres.ts'

/** Declares a test suite for every store; each call of `open` opens one on the same files. */
export const describeEveryStore = (suite: (open: () => Promise<Store>) => void): void => {
  describe('SQLite', () => {
    const directory = mkdtempSync(join(tmpdir(), 'openrfq-sqlite-'))
    after(() => rmSync(directory, { recursive: true, force: true }))
    suite(() => openSqliteStore({ directory, log: () => {} }))
  })
  const binaries = postgresBinaries()
  describe('PostgreSQL', {
    skip: binaries === undefined && 'PostgreSQL is not installed: no initdb and postgres',
  }, () => {
    let server: PrivatePostgres
    before(async () => {
      server = await startPrivatePostgres(binaries ?? '')
    })
    after(() => server.stop())
    suite(() => openPostgresStore({ url: server.url, log: () => {} }))
  })
}
