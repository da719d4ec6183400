import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { openPostgresStore } from '../src/store/postgres.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { describePostgres } from './with-postgres.ts'

/** Declares a test suite for every store; each call of `open` opens one on the same files. */
export const describeEveryStore = (suite: (open: () => Promise<Store>) => void): void => {
  describe('SQLite', () => {
    const directory = mkdtempSync(join(tmpdir(), 'openrfq-sqlite-'))
    after(() => rmSync(directory, { recursive: true, force: true }))
    suite(() => openSqliteStore({ directory, log: () => {} }))
  })
  describePostgres((server) => suite(() => openPostgresStore({ url: server().url, log: () => {} })))
}
