import type { Server as AddressHolder } from 'node:net'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { AppDependencies } from './create-app.ts'
import type { Metrics } from './metrics.ts'
import { metricsEndpoint } from './operations-endpoints.ts'
import { createServer } from './server.ts'

type Dependencies = AppDependencies & {
  /** Reserves the address until this listens. */
  readonly address: AddressHolder
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'requestAnswered'>
}

/** Serves `/metrics` alone on a port of its own, under the same rules of HTTP as the service. */
export const createMetricsServer = (deps: Dependencies): Lifecycle => {
  const server = createServer({ ...deps, trustProxy: false, isUpgrade: () => false }, (app) =>
    app.route(metricsEndpoint(deps.metrics)),
  )
  return {
    start: async () => {
      await server.listen(deps.address)
    },
    stop: () => server.close(0),
  }
}
