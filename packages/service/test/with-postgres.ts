import { after, before, describe } from 'node:test'
import { type PrivatePostgres, postgresBinaries, startPrivatePostgres } from './private-postgres.ts'

/** Declares a test suite on a PostgreSQL server of its own, which `server` returns in tests; skipped without PostgreSQL. */
export const describePostgres = (suite: (server: () => PrivatePostgres) => void): void => {
  const binaries = postgresBinaries()
  describe('PostgreSQL', {
    skip: binaries === undefined && 'PostgreSQL is not installed: no initdb and postgres',
  }, () => {
    let server: PrivatePostgres
    before(async () => {
      server = await startPrivatePostgres(binaries ?? '')
    })
    after(() => server.stop())
    suite(() => server)
  })
}
