import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Instant } from '../core/instant.ts'
import { createBatchPerTick } from './batch-per-tick.ts'
import { clientKey, forwardedKey } from './client-key.ts'
import type { Endpoint } from './endpoint.ts'
import { headersErrorResponse, targetErrorResponse, tooManyRequestsResponse } from './error-responses.ts'
import type { Metrics } from './metrics.ts'
import { createRateLimit, type RateLimitDecision } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import type { RequestContext, Responder } from './request-context.ts'

/** More requests than this being handled at once, and the next is refused with 429. */
const MAX_IN_FLIGHT = 1024
const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/
const NO_BODY = Buffer.alloc(0)
const NO_METHODS: readonly string[] = []

type Dependencies = {
  readonly endpoints: readonly Endpoint[]
  readonly responder: Responder
  readonly rateLimited: boolean
  readonly trustProxy: boolean
  readonly now: () => Instant
  readonly randomId: () => string
  readonly metrics: Pick<Metrics, 'watch'>
}

type Path = { readonly methods: readonly string[]; readonly endpoints: ReadonlyMap<string, Endpoint> }

/** The listener of every well-formed HTTP request: finds the endpoint, applies the limits, and always answers. */
export const mount = (deps: Dependencies): RequestListener => {
  const paths = pathsOf(deps.endpoints)
  const allowanceOf = deps.rateLimited ? createClientLimit(deps) : () => undefined
  const handle = createHandler(deps)
  return (request, response) => {
    const startedAt = deps.now()
    const { path, query } = splitTarget(request.url ?? '/')
    const { method = 'GET' } = request
    const known = paths.get(path)
    const endpoint = known?.endpoints.get(method === 'HEAD' ? 'GET' : method)
    const context: RequestContext = {
      request,
      response,
      requestId: requestIdOf(request, deps.randomId),
      endpointName: endpoint?.name ?? 'none',
      startedAt,
      rateLimitDecision: endpoint?.limited === true ? allowanceOf(request) : undefined,
    }
    const refusal = headersErrorResponse(request)
    if (refusal !== undefined) {
      deps.responder.send(context, refusal)
    } else if (endpoint === undefined) {
      deps.responder.send(context, targetErrorResponse(method, path, known?.methods ?? NO_METHODS))
    } else if (context.rateLimitDecision?.allowed === false) {
      const { retryAfterSeconds } = context.rateLimitDecision
      deps.responder.send(
        context,
        tooManyRequestsResponse('too many requests from this address', retryAfterSeconds),
      )
    } else if (endpoint.method === 'GET') {
      void handle(context, endpoint, query, NO_BODY)
    } else {
      readBody(request, (body, refused) => {
        if (refused === undefined) void handle(context, endpoint, query, body)
        else deps.responder.fail(context, refused)
      })
    }
  }
}

type Handle = (context: RequestContext, endpoint: Endpoint, query: string, body: Buffer) => Promise<void>

const createHandler = ({ responder, metrics }: Pick<Dependencies, 'responder' | 'metrics'>): Handle => {
  let inFlight = 0
  const batchPerTick = createBatchPerTick()
  metrics.watch('openrfq_http_in_flight_requests', 'Requests being handled now.', () => inFlight)
  return async (context, endpoint, query, body) => {
    if (endpoint.limited && inFlight >= MAX_IN_FLIGHT) {
      responder.send(context, tooManyRequestsResponse('the service is busy', 1))
      return
    }
    inFlight += 1
    try {
      await batchPerTick()
      const answer = await endpoint.handle({ query, headers: context.request.headers, body })
      await batchPerTick()
      responder.send(context, answer)
    } catch (error) {
      responder.fail(context, error)
    } finally {
      inFlight -= 1
    }
  }
}

const pathsOf = (endpoints: readonly Endpoint[]): ReadonlyMap<string, Path> => {
  const grouped = Map.groupBy(endpoints, (endpoint) => endpoint.path)
  return new Map(
    [...grouped].map(([path, group]) => {
      const byMethod = new Map(group.map((endpoint) => [endpoint.method, endpoint]))
      return [path, { methods: [...byMethod.keys()], endpoints: byMethod }]
    }),
  )
}

/** The rate limit of the client behind a request; its key is worked out once per connection. */
const createClientLimit = ({
  trustProxy,
  now,
}: Pick<Dependencies, 'trustProxy' | 'now'>): ((request: IncomingMessage) => RateLimitDecision) => {
  const limit = createRateLimit(now)
  const keys = new WeakMap<Socket, string>()
  const socketKey = (socket: Socket): string => {
    const known = keys.get(socket)
    if (known !== undefined) return known
    const key = clientKey(socket.remoteAddress ?? '') ?? 'unknown'
    keys.set(socket, key)
    return key
  }
  return ({ socket, headers }) => {
    const forwarded = trustProxy ? forwardedKey(headers['x-forwarded-for']) : undefined
    return limit(forwarded ?? socketKey(socket))
  }
}

const requestIdOf = ({ headers }: IncomingMessage, randomId: () => string): string => {
  const offered = headers['x-request-id']
  return typeof offered === 'string' && REQUEST_ID.test(offered) ? offered : randomId()
}

/** Path and query of a request target, also of the absolute form that proxies send. Source: RFC 9112, 3.2. */
const splitTarget = (target: string): { readonly path: string; readonly query: string } => {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const cut = local.indexOf('?')
  return cut < 0 ? { path: local, query: '' } : { path: local.slice(0, cut), query: local.slice(cut + 1) }
}
