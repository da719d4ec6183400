import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { UseCases } from '../service/use-cases.ts'
import type { ClientKeys } from './client-key.ts'
import type { Connections } from './connections.ts'
import { createDailyQuotes, type DailyQuotes } from './daily-quotes.ts'
import { documentationEndpoints, toReference } from './documentation-endpoints.ts'
import { createEventStreams } from './event-streams.ts'
import { type ExtraEndpoint, mountExtra } from './extra-endpoints.ts'
import { countInFlight } from './in-flight.ts'
import { chainsEndpoint, tokensEndpoint } from './list-endpoints.ts'
import type { LocalAccess } from './local-access.ts'
import { logoEndpoints } from './logo-endpoints.ts'
import type { Metrics } from './metrics.ts'
import { type Operation, REQUEST_LIMIT } from './operation.ts'
import { OPEN_ORDER, OPERATIONS } from './operations.ts'
import { operationsEndpoints } from './operations-endpoints.ts'
import { ordersEndpoints } from './orders-endpoint.ts'
import { GET_METRICS } from './own-operations.ts'
import { type Pages, pageEndpoints } from './pages.ts'
import { quoteEndpoint } from './quote-endpoint.ts'
import { rateLimitOptions } from './rate-limit.ts'
import { createReadBudget, type ReadBudget } from './read-budget.ts'
import { mountSolverSocket, type SolverConnections } from './solver-socket.ts'
import { solversEndpoint } from './solvers-endpoint.ts'
import {
  recoveryEndpoint,
  searchEndpoint,
  statusEndpoint,
  transferEndpoint,
  transfersEndpoint,
} from './status-endpoint.ts'
import { quoteStreamEndpoint, statusStreamEndpoint } from './stream-endpoints.ts'

/** Dependencies of the endpoints. */
export type EndpointDependencies = {
  readonly useCases: UseCases
  readonly extraEndpoints: readonly ExtraEndpoint[]
  /** Who may use the extra endpoints. */
  readonly localAccess: LocalAccess
  /** Whether `/metrics` is served and described here, and not served on a port of its own. */
  readonly withMetrics: boolean
  /** The pages for people; without them there are none. */
  readonly pages?: Pages
  /** Accepts solvers; without it there is no solver endpoint. */
  readonly solvers?: SolverConnections
  /** False disables the limits per client, for measurements. */
  readonly rateLimited: boolean
  /** The quotes that one client may have at once, and regains over a day. */
  readonly quotesPerClientDay: number
  readonly now: () => Instant
  readonly randomId: () => string
  readonly metrics: Metrics
  readonly log: Log
}

type Dependencies = EndpointDependencies & {
  readonly clientKeys: ClientKeys
  readonly connections: Pick<Connections, 'upgraded'>
  readonly isDraining: () => boolean
}

/** The most requests in flight; further ones get 429. */
const MAX_IN_FLIGHT = 1024

/** Mounts the interface's endpoints, its documentation, and the operator's endpoints. */
export const mountEndpoints = (app: FastifyInstance, deps: Dependencies): void => {
  const { useCases, metrics, isDraining, clientKeys, solvers, withMetrics } = deps
  const absent = new Set<Operation>([
    ...(withMetrics ? [] : [GET_METRICS]),
    ...(useCases.openOrder === undefined ? [OPEN_ORDER] : []),
  ])
  const described = OPERATIONS.filter((operation) => !absent.has(operation))
  const inFlight = countInFlight(app)
  metrics.watch('openrfq_http_in_flight_requests', 'Requests being handled now.', inFlight.count)
  const dailyQuotes = watchedDailyQuotes(deps)
  const streams = createEventStreams({ limited: deps.rateLimited })
  metrics.watch('openrfq_event_streams', 'Streams of statuses and quotes that are open.', streams.count)
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })
  const reads: ReadBudget = deps.rateLimited ? createReadBudget(deps.now) : { expectLeft: () => undefined }
  const streaming = { useCases, clientKeys, dailyQuotes, streams, log: deps.log }
  app.register(async (scope) => {
    if (deps.rateLimited) await scope.register(rateLimit, rateLimitOptions(REQUEST_LIMIT, clientKeys))
    inFlight.limit(scope, MAX_IN_FLIGHT)
    const endpoints = [
      chainsEndpoint(useCases),
      tokensEndpoint(useCases),
      quoteEndpoint(useCases, clientKeys, dailyQuotes),
      statusEndpoint(useCases, clientKeys),
      ...ordersEndpoints(useCases, clientKeys),
      transferEndpoint(useCases, clientKeys),
      transfersEndpoint(useCases, clientKeys, reads),
      searchEndpoint(useCases, clientKeys, reads),
      recoveryEndpoint(useCases, clientKeys),
      quoteStreamEndpoint(streaming),
      statusStreamEndpoint(streaming),
      solversEndpoint(useCases),
      ...logoEndpoints(useCases),
      ...documentationEndpoints(described),
      ...(deps.pages === undefined ? [toReference] : pageEndpoints(deps.pages)),
    ]
    for (const endpoint of endpoints) scope.route(endpoint)
  })
  if (solvers !== undefined) app.register((scope) => mountSolverSocket(scope, { ...deps, solvers }))
  const operations = operationsEndpoints({
    readiness: useCases.readiness,
    metrics: withMetrics ? metrics : undefined,
    isDraining,
  })
  const extra = deps.extraEndpoints.map((endpoint) => mountExtra(endpoint, deps.localAccess))
  for (const endpoint of [...operations, ...extra]) app.route(endpoint)
}

const watchedDailyQuotes = ({ rateLimited, quotesPerClientDay, now, metrics }: Dependencies): DailyQuotes => {
  const dailyQuotes = createDailyQuotes(quotesPerClientDay, now)
  metrics.watch(
    'openrfq_busiest_client_quotes',
    'The most quotes that one client has had and not regained.',
    dailyQuotes.busiest,
  )
  metrics.watch(
    'openrfq_exhausted_clients',
    'Clients that have no quote left until they regain one.',
    dailyQuotes.exhausted,
  )
  return rateLimited ? dailyQuotes : { ...dailyQuotes, expectLeft: () => undefined }
}
