import type { Server as AddressHolder } from 'node:net'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { HeldDepositList } from '../service/held-deposits.ts'
import type { NotificationLog } from '../webhooks/create-webhooks.ts'
import type { AppDependencies } from './create-app.ts'
import { heldDepositEndpoints } from './held-deposit-endpoints.ts'
import type { LocalAccess } from './local-access.ts'
import type { Metrics } from './metrics.ts'
import { metricsEndpoint } from './operations-endpoints.ts'
import { createServer } from './server.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

type Dependencies = AppDependencies & {
  /** Reserves the address until this listens. */
  readonly address: AddressHolder
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'requestAnswered'>
  readonly webhooks: NotificationLog
  readonly heldDeposits: HeldDepositList
  /** Who may see and do what is the operator's. */
  readonly localAccess: LocalAccess
}

/** Serves `/metrics` and what operators do of webhooks and held deposits on a port of its own, under the same rules of HTTP as the service. */
export const createMetricsServer = (deps: Dependencies): Lifecycle => {
  const server = createServer({ ...deps, trustProxy: false, isUpgrade: () => false }, (app) => {
    for (const endpoint of [
      metricsEndpoint(deps.metrics),
      ...webhookEndpoints(deps.webhooks, deps.localAccess),
      ...heldDepositEndpoints(deps.heldDeposits, deps.localAccess),
    ])
      app.route(endpoint)
  })
  return {
    start: async () => {
      await server.listen(deps.address)
    },
    stop: () => server.close(0),
  }
}
