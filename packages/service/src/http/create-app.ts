import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { UseCases } from '../service/use-cases.ts'
import { checkHead } from './check-head.ts'
import type { ClientKeys } from './client-key.ts'
import type { Connections } from './connections.ts'
import { documentationEndpoints } from './documentation-endpoints.ts'
import { createErrorHandler, type ErrorHandler } from './error-handler.ts'
import { type ExtraEndpoint, mountExtra } from './extra-endpoints.ts'
import { countInFlight } from './in-flight.ts'
import { chainsEndpoint, tokensEndpoint } from './list-endpoints.ts'
import type { LocalAccess } from './local-access.ts'
import type { Metrics } from './metrics.ts'
import { operationsEndpoints } from './operations-endpoints.ts'
import { quoteEndpoint } from './quote-endpoint.ts'
import { rateLimitOptions } from './rate-limit.ts'
import type { BodyReader } from './read-body.ts'
import { rejectBytes } from './reject-bytes.ts'
import { localTarget } from './request-target.ts'
import { COMMON_HEADERS } from './response-headers.ts'
import { isSolverUpgrade, mountSolverSocket, type SolverConnections } from './solver-socket.ts'
import { solversEndpoint } from './solvers-endpoint.ts'
import { statusEndpoint } from './status-endpoint.ts'
import { createUnmatched, noEndpoint } from './unmatched.ts'

/** Dependencies of the endpoints. */
export type AppDependencies = {
  readonly useCases: UseCases
  readonly extraEndpoints: readonly ExtraEndpoint[]
  /** Who may use the extra endpoints. */
  readonly localAccess: LocalAccess
  /** Whether `/metrics` is served here, and not on a port of its own. */
  readonly withMetrics: boolean
  /** Accepts solvers; without it there is no solver endpoint. */
  readonly solvers?: SolverConnections
  /** False disables the limit per client, for measurements. */
  readonly rateLimited: boolean
  readonly now: () => Instant
  readonly randomId: () => string
  readonly log: Log
  readonly metrics: Metrics
}

type Dependencies = AppDependencies & {
  readonly clientKeys: ClientKeys
  readonly connections: Connections
  readonly bodyReader: BodyReader
  readonly isDraining: () => boolean
}

/** The most requests in flight; further ones get 429. */
const MAX_IN_FLIGHT = 1024
/** Requests of one client to the interface and its documentation. */
const REQUESTS = { max: 500, windowSeconds: 10 }
/** A connection that transfers no byte for this long is closed, also when its client does not read the answer. */
const IDLE_MS = 60_000
const LIMITS = {
  connectionTimeout: IDLE_MS,
  keepAliveTimeout: 72_000,
  requestTimeout: 5_000,
  http: {
    maxHeaderSize: 8192,
    headersTimeout: 3_000,
    connectionsCheckingInterval: 1_000,
    /** Our handler rejects a missing host header, with a body. */
    requireHostHeader: false,
  },
} as const
const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The Fastify application: the interface's endpoints, its documentation, and the operator's endpoints. */
export const createApp = (deps: Dependencies): FastifyInstance => {
  const handleError = createErrorHandler(deps.log)
  const app = createFastify(deps, handleError)
  app.setErrorHandler(handleError)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ raw }, _payload, done) => deps.bodyReader.read(raw, done))
  const unmatched = createUnmatched(app)
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply)
    done(checkHead(request.raw) ?? (request.is404 ? unmatched(request, reply) : undefined))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (deps.isDraining()) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', ({ routeOptions }, { statusCode, elapsedTime }, done) => {
    deps.metrics.requestAnswered(routeOptions.config.name ?? 'none', statusCode, elapsedTime / 1000)
    done()
  })
  mountEndpoints(app, deps)
  return app
}

const createFastify = (
  { connections, randomId, solvers, isDraining }: Dependencies,
  handleError: ErrorHandler,
): FastifyInstance =>
  fastify({
    ...LIMITS,
    http: {
      ...LIMITS.http,
      shouldUpgradeCallback: (request) => solvers !== undefined && !isDraining() && isSolverUpgrade(request),
    },
    return503OnClosing: false,
    genReqId: ({ headers: { 'x-request-id': offered } }) =>
      typeof offered === 'string' && REQUEST_ID.test(offered) ? offered : randomId(),
    rewriteUrl: ({ url = '/' }) => localTarget(url),
    clientErrorHandler: ({ code }, socket) =>
      rejectBytes(socket, code, connections.lastResponse(socket), randomId()),
    // Runs before any hook, for a path with invalid percent encoding.
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply)
      handleError(noEndpoint(request.url), request, reply)
    },
  })

const addCommonHeaders = ({ id }: FastifyRequest, reply: FastifyReply): void => {
  reply.headers(COMMON_HEADERS).header('x-request-id', id)
}

const mountEndpoints = (app: FastifyInstance, deps: Dependencies): void => {
  const { useCases, metrics, isDraining, clientKeys, solvers } = deps
  const inFlight = countInFlight(app)
  metrics.watch('openrfq_http_in_flight_requests', 'Requests being handled now.', inFlight.count)
  app.register(async (scope) => {
    if (deps.rateLimited) await scope.register(rateLimit, rateLimitOptions(REQUESTS, clientKeys))
    inFlight.limit(scope, MAX_IN_FLIGHT)
    const endpoints = [
      chainsEndpoint(useCases),
      tokensEndpoint(useCases),
      quoteEndpoint(useCases, clientKeys),
      statusEndpoint(useCases, clientKeys),
      solversEndpoint(useCases),
      ...documentationEndpoints(),
    ]
    for (const endpoint of endpoints) scope.route(endpoint)
  })
  if (solvers !== undefined) app.register((scope) => mountSolverSocket(scope, { ...deps, solvers }))
  const operations = operationsEndpoints({
    readiness: useCases.readiness,
    metrics: deps.withMetrics ? metrics : undefined,
    isDraining,
  })
  const extra = deps.extraEndpoints.map((endpoint) => mountExtra(endpoint, deps.localAccess))
  for (const endpoint of [...operations, ...extra]) app.route(endpoint)
}
