import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import { checkHead } from './check-head.ts'
import type { Connections } from './connections.ts'
import { createDateHeader } from './date-header.ts'
import { createErrorHandler, type ErrorHandler } from './error-handler.ts'
import type { Metrics } from './metrics.ts'
import type { BodyReader } from './read-body.ts'
import { REQUEST_TIMEOUT, rejectBytes } from './reject-bytes.ts'
import { localTarget } from './request-target.ts'
import { COMMON_HEADERS } from './response-headers.ts'
import { createUnmatched, noEndpoint } from './unmatched.ts'

/** Dependencies of every HTTP application of the service. */
export type AppDependencies = {
  readonly now: () => Instant
  /** The service's time that answers tell. */
  readonly wallTime: () => Instant
  readonly randomId: () => string
  readonly log: Log
  readonly metrics: Pick<Metrics, 'requestAnswered'>
  /** `CONNECTION_TIMES` by default. */
  readonly times?: ConnectionTimes
}

/** When a connection is closed, in milliseconds. */
export type ConnectionTimes = {
  /** After so long without a byte, also when the client does not read the answer. */
  readonly idle: number
  /** After so long without another request. */
  readonly keepAlive: number
  /** When the head of a request is not complete after so long. */
  readonly head: number
  /** When a request is not complete after so long. */
  readonly request: number
  /** The time between two looks at the deadlines of heads and requests. */
  readonly check: number
}

type Dependencies = AppDependencies & {
  /** Whether a request that asks for an upgrade gets it; all others are served as if they had not asked. */
  readonly isUpgrade: (request: IncomingMessage) => boolean
  readonly connections: Connections
  readonly bodyReader: BodyReader
  readonly isDraining: () => boolean
}

/** When the service closes connections. */
export const CONNECTION_TIMES: ConnectionTimes = {
  idle: 60_000,
  keepAlive: 72_000,
  head: 3_000,
  request: 5_000,
  check: 1_000,
}
const MAX_HEAD_BYTES = 8192
const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** A Fastify application without endpoints, which answers everything that no endpoint does. */
export const createApp = (deps: Dependencies): FastifyInstance => {
  const handleError = createErrorHandler(deps.log)
  const dateOf = createDateHeader(deps.wallTime)
  const app = createFastify(deps, handleError, dateOf)
  app.setErrorHandler(handleError)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ raw }, _payload, done) => deps.bodyReader.read(raw, done))
  const unmatched = createUnmatched(app)
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply, dateOf())
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
  return app
}

const createFastify = (
  { connections, randomId, wallTime, isUpgrade, isDraining, times = CONNECTION_TIMES }: Dependencies,
  handleError: ErrorHandler,
  dateOf: () => string,
): FastifyInstance =>
  fastify({
    connectionTimeout: times.idle,
    keepAliveTimeout: times.keepAlive,
    requestTimeout: times.request,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: times.head,
      connectionsCheckingInterval: times.check,
      // Our handler rejects a missing host header, with a body.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => !isDraining() && isUpgrade(request),
    },
    return503OnClosing: false,
    genReqId: ({ headers: { 'x-request-id': offered } }) =>
      typeof offered === 'string' && REQUEST_ID.test(offered) ? offered : randomId(),
    rewriteUrl: ({ url = '/' }) => localTarget(url),
    clientErrorHandler: ({ code }, socket) => {
      const reject = (): void =>
        rejectBytes(socket, code, connections.lastResponse(socket), {
          requestId: randomId(),
          now: wallTime(),
        })
      if (code === REQUEST_TIMEOUT) unlessArrived(connections, socket, reject)
      else reject()
    },
    // Runs before any hook, for a path with invalid percent encoding.
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply, dateOf())
      handleError(checkHead(request.raw) ?? noEndpoint(request.url), request, reply)
    },
  })

/**
 * Calls `reject` unless the rest of the request is there already. Node looks at its deadlines before it reads, so that a
 * process that was stopped or busy for seconds would reject what its clients sent in time.
 */
const unlessArrived = ({ lastResponse }: Connections, socket: Socket, reject: () => void): void => {
  const before = lastResponse(socket)
  const wasComplete = before?.req.complete
  setImmediate(() => {
    const last = lastResponse(socket)
    const isNews = last !== before || wasComplete === false
    if (!isNews || last?.req.complete !== true) reject()
  })
}

const addCommonHeaders = ({ id }: FastifyRequest, reply: FastifyReply, date: string): void => {
  reply.headers(COMMON_HEADERS).header('x-request-id', id).header('date', date)
}
