import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server as AddressHolder } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type ClientKeys, createClientKeys } from './client-key.ts'
import { type Connections, createConnections } from './connections.ts'
import { type AppDependencies, createApp } from './create-app.ts'
import { type EndpointDependencies, mountEndpoints } from './mount-endpoints.ts'
import { createBodyReader } from './read-body.ts'
import { rejectTunnel } from './reject-bytes.ts'
import { isSolverUpgrade } from './solver-socket.ts'

/** An HTTP server. */
export type HttpServer = {
  /** Takes over the address of a server in this process, and resolves with its port. */
  readonly listen: (address: AddressHolder) => Promise<{ port: number }>
  /** Stops accepting, answers requests in flight, and after `drainMs` closes all connections. */
  readonly close: (drainMs: number) => Promise<void>
}

type ServerDependencies = AppDependencies & {
  /** True reads the client's address from the last entry of `x-forwarded-for`. */
  readonly trustProxy: boolean
  readonly isUpgrade: (request: IncomingMessage) => boolean
}

/** What a server has for its endpoints. */
type ServerParts = {
  readonly clientKeys: ClientKeys
  readonly connections: Connections
  readonly isDraining: () => boolean
}

const CONNECTIONS = { perClient: 512, total: 10_000 }

/** Creates the service's HTTP server. */
export const createHttpServer = (
  deps: EndpointDependencies & Omit<ServerDependencies, 'isUpgrade'>,
): HttpServer =>
  createServer(
    { ...deps, isUpgrade: (request) => deps.solvers !== undefined && isSolverUpgrade(request) },
    (app, parts) => mountEndpoints(app, { ...deps, ...parts }),
  )

/**
 * Creates a server of the endpoints that `mount` adds: a Fastify application, and the HTTP/1.1 rules that apply before a
 * request reaches it.
 */
export const createServer = (
  deps: ServerDependencies,
  mount: (app: FastifyInstance, parts: ServerParts) => void,
): HttpServer => {
  let draining = false
  const clientKeys = createClientKeys(deps.trustProxy)
  const connections = createConnections({ ...CONNECTIONS, clientOf: clientKeys.ofSocket })
  const bodyReader = createBodyReader()
  const isDraining = (): boolean => draining
  const app = createApp({ ...deps, connections, bodyReader, isDraining })
  mount(app, { clientKeys, connections, isDraining })
  const { server } = app
  const asked = (request: IncomingMessage, response: ServerResponse): void =>
    connections.asked(request.socket, response)
  server.on('connection', connections.opened)
  server.on('request', asked)
  server.on('checkContinue', (request, response) => {
    asked(request, response)
    bodyReader.waits(request, response)
    app.routing(request, response)
  })
  server.on('checkExpectation', (request, response) => {
    asked(request, response)
    app.routing(request, response)
  })
  server.on('connect', (_request, socket) =>
    rejectTunnel(socket, { requestId: deps.randomId(), now: deps.wallTime() }),
  )
  return {
    listen: async (address) => {
      await app.ready()
      server.listen(address)
      await once(server, 'listening')
      const taken = server.address()
      assert(typeof taken === 'object' && taken !== null, 'a listening server has a port')
      return { port: taken.port }
    },
    close: async (drainMs) => {
      draining = true
      const force = setTimeout(() => connections.closeAll(), drainMs)
      const closed = app.close()
      connections.closeIdle()
      await closed
      clearTimeout(force)
    },
  }
}
