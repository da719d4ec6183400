import { randomUUID } from 'node:crypto'
import { reservePort } from '../src/app/reserve-port.ts'
import { CONNECTION_TIMES, type ConnectionTimes } from '../src/http/create-app.ts'
import { createMetrics } from '../src/http/metrics.ts'
import { createHttpServer } from '../src/http/server.ts'
import { createTableUseCases } from './table-use-cases.ts'

/** Closes connections after a fraction of the service's times. */
export const HASTY: ConnectionTimes = { ...CONNECTION_TIMES, head: 300, request: 500, check: 50 }

type Dependencies = Parameters<typeof createHttpServer>[0]

/** A log line as the server wrote it. */
type Line = { readonly level: string; readonly message: string; readonly fields: unknown }

/** A listening server over the tables, on a free port of 127.0.0.1; `lines` collects its log. */
export const startTableServer = async (
  overrides: Partial<Dependencies> = {},
): Promise<{
  readonly port: number
  readonly url: string
  readonly lines: readonly Line[]
  readonly close: (drainMs?: number) => Promise<void>
}> => {
  const lines: Line[] = []
  const server = createHttpServer({
    useCases: createTableUseCases(),
    extraEndpoints: [],
    localAccess: { hosts: new Set(), origins: new Set() },
    withMetrics: true,
    rateLimited: false,
    quotesPerClientDay: 500_000,
    trustProxy: false,
    now: Date.now,
    wallTime: Date.now,
    randomId: randomUUID,
    log: (level, message, fields) => lines.push({ level, message, fields }),
    metrics: createMetrics(),
    ...overrides,
  })
  const { port } = await server.listen(await reservePort({ host: '127.0.0.1', port: 0 }))
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    lines,
    close: (drainMs = 0) => server.close(drainMs),
  }
}
