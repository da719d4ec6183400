import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Server as AddressHolder } from 'node:net'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { UseCases } from '../service/use-cases.ts'
import { createConnections } from './connections.ts'
import { documentationEndpoints } from './documentation-endpoints.ts'
import { type ExtraEndpoint, mountExtra } from './extra-endpoints.ts'
import { chainsEndpoint, tokensEndpoint } from './list-endpoints.ts'
import type { Metrics } from './metrics.ts'
import { mount } from './mount.ts'
import { operationsEndpoints } from './operations-endpoints.ts'
import { quoteEndpoint } from './quote-endpoint.ts'
import { rejectBytes, rejectTunnel } from './reject-bytes.ts'
import { createResponder } from './request-context.ts'
import type { SolverSocket } from './solver-socket.ts'
import { statusEndpoint } from './status-endpoint.ts'

/** The service on a port. */
export type HttpServer = {
  /** Takes over the address that another server of this process listens on, and resolves with its port. */
  readonly listen: (address: AddressHolder) => Promise<{ port: number }>
  /** Accepts nothing more, answers what has come, and after `drainMs` cuts whatever is still open. */
  readonly close: (drainMs: number) => Promise<void>
}

type Dependencies = {
  readonly useCases: UseCases
  readonly extraEndpoints: readonly ExtraEndpoint[]
  /** Where solvers connect; without it nothing is upgraded. */
  readonly solverSocket?: SolverSocket
  /** False switches the limit per client off, for measuring. */
  readonly rateLimited: boolean
  /** True takes the client's address from the last entry of `x-forwarded-for`. */
  readonly trustProxy: boolean
  readonly now: () => Instant
  readonly randomId: () => string
  readonly log: Log
  readonly metrics: Metrics
}

/**
 * The HTTP side of the service: the four endpoints, their documentation, and what operators ask. It is built on
 * `node:http` alone, because a framework's share of each request is larger than all of pricing.
 */
export const createHttpServer = (deps: Dependencies): HttpServer => {
  let draining = false
  const isDraining = (): boolean => draining
  const endpoints = [
    chainsEndpoint(deps.useCases),
    tokensEndpoint(deps.useCases),
    quoteEndpoint(deps.useCases),
    statusEndpoint(deps.useCases),
    ...documentationEndpoints(),
    ...operationsEndpoints({ readiness: deps.useCases.readiness, metrics: deps.metrics, isDraining }),
    ...deps.extraEndpoints.map(mountExtra),
  ]
  const responder = createResponder({ ...deps, isDraining })
  const listener = mount({ ...deps, endpoints, responder })
  const connections = createConnections()

  const serve: RequestListener = (request, response) => {
    connections.asked(request.socket, response)
    listener(request, response)
  }
  const { solverSocket } = deps
  const shouldUpgradeCallback = (request: IncomingMessage): boolean => solverSocket?.wants(request) ?? false
  const server = createServer({ ...LIMITS, shouldUpgradeCallback }, serve)
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(IDLE_MS)
  server.on('connection', connections.opened)
  server.on('checkExpectation', serve)
  server.on('connect', (_request, socket) => rejectTunnel(socket, deps.randomId()))
  server.on('upgrade', (request, socket, head) => {
    connections.left(socket)
    solverSocket?.upgrade(request, socket, head)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    rejectBytes(socket, error.code, connections.lastResponse(socket), deps.randomId()),
  )
  return {
    listen: (address) => listen(server, address),
    close: (drainMs) => {
      draining = true
      const closed = drain(server, drainMs)
      solverSocket?.close()
      connections.closeIdle()
      return closed
    },
  }
}

const MAX_CONNECTIONS = 10_000
/** A connection that moves no byte for this long is cut, also one whose client does not read its answer. */
const IDLE_MS = 60_000
const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 3_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 72_000,
  /** A missing host header is refused by us, with a body. */
  requireHostHeader: false,
} as const

const listen = async (server: Server, address: AddressHolder): Promise<{ port: number }> => {
  server.listen(address)
  await once(server, 'listening')
  const taken = server.address()
  assert(typeof taken === 'object' && taken !== null, 'a listening server has a port')
  return { port: taken.port }
}

const drain = (server: Server, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
  })
