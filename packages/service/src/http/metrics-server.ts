import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server as AddressHolder } from 'node:net'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Metrics } from './metrics.ts'

type Deps = {
  /** Reserves the address until this listens. */
  readonly address: AddressHolder
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
}

const PATH = '/metrics'
const TIMEOUT_MS = 5_000

/** Serves `/metrics` alone on a port of its own. */
export const createMetricsServer = ({ address, metrics }: Deps): Lifecycle => {
  const server = createServer({ requestTimeout: TIMEOUT_MS }, async ({ url, method }, response) => {
    if (url !== PATH || method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text)
  })
  return {
    start: async () => {
      server.listen(address)
      await once(server, 'listening')
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
