import type { IncomingMessage } from 'node:http'
import rateLimit from '@fastify/rate-limit'
import websocket from '@fastify/websocket'
import { RfqError } from '@openrfq/sdk'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Instant } from '../core/instant.ts'
import { PROTOCOL_LIMITS } from '../intents/solver-api/protocol.ts'
import type { SolverNetwork } from '../intents/solver-api/solver-network.ts'
import { createTokenBucket } from '../lib/token-bucket.ts'
import { checkHead } from './check-head.ts'
import type { ClientKeys } from './client-key.ts'
import type { Connections } from './connections.ts'
import { HttpError } from './http-error.ts'
import { rateLimitOptions, tooManyRequests } from './rate-limit.ts'
import { rejectUpgrade } from './reject-bytes.ts'

/** Accepts the connections of solvers. */
export type SolverConnections = Pick<SolverNetwork, 'connect'>

type Dependencies = {
  readonly solvers: SolverConnections
  readonly clientKeys: ClientKeys
  readonly connections: Pick<Connections, 'upgraded'>
  readonly now: () => Instant
  readonly randomId: () => string
}

const PATH = '/v1/solver'
const MAX_CONNECTIONS = 64
const PING_MS = 10_000
const CLOSE_MS = 1_000
const BUSY_MS = 10_000
/** Unread bytes after which a peer is disconnected. */
const MAX_BUFFERED_BYTES = 262_144
const PINGS = { burst: 20, perSecond: 2 }
/** Connections that one address may open; each costs at most one signature check. */
const OPENINGS = { max: 100, windowSeconds: 20 }
const GOING_AWAY = 1001

type Peer = { readonly webSocket: WebSocket; readonly loggedIn: () => boolean; answered: boolean }

/**
 * Whether an upgrade request is for solvers. Other upgrade headers are ignored, also those of a request whose head is
 * refused: it is answered as a request without an upgrade, under the limits of such connections.
 */
export const isSolverUpgrade = (request: IncomingMessage): boolean => {
  const { method, url = '/', httpVersion } = request
  const isOurs = method === 'GET' && (url === PATH || url.startsWith(`${PATH}?`))
  return isOurs && httpVersion === '1.1' && checkHead(request) === undefined
}

/**
 * Mounts the WebSocket side of the solver protocol with at most 64 connections: a new one replaces the oldest without a
 * login. A peer that does not answer a ping within ten seconds, or does not read, is disconnected. Source:
 * docs/solver-protocol.md.
 */
export const mountSolverSocket = async (scope: FastifyInstance, deps: Dependencies): Promise<void> => {
  const peers = new Set<Peer>()
  const timer = setInterval(() => ping(peers), PING_MS)
  timer.unref()
  await scope.register(rateLimit, rateLimitOptions(OPENINGS, deps.clientKeys))
  await scope.register(websocket, {
    options: {
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: PROTOCOL_LIMITS.maxFrameBytes,
      maxFragments: 64,
    },
    // Every error is followed by a close event with its reason.
    errorHandler: () => {},
    preClose: (done) => {
      clearInterval(timer)
      for (const { webSocket } of peers) closeSoon(webSocket, GOING_AWAY, 'the service is going away')
      done()
    },
  })
  scope.websocketServer.on('connection', (_webSocket, { socket }) => deps.connections.upgraded(socket))
  scope.websocketServer.on('wsClientError', (error, socket) => {
    const told = new RfqError('INVALID_REQUEST', `the WebSocket handshake is not valid: ${error.message}`)
    rejectUpgrade(socket, told, { requestId: deps.randomId(), now: deps.now() })
  })
  scope.route({
    method: 'GET',
    url: PATH,
    config: { name: 'solver' },
    exposeHeadRoute: false,
    preHandler: (_request, _reply, done) => {
      if (makeRoom(peers)) done()
      else done(tooManyRequests('too many connections of solvers', BUSY_MS))
    },
    handler: (_request, reply) => {
      reply.header('upgrade', 'websocket')
      throw new HttpError(426, `${PATH} is a WebSocket; expected a request to upgrade`)
    },
    wsHandler: (webSocket) => admit(webSocket, peers, deps),
  })
}

/** Pings every peer, and disconnects those that did not answer the previous ping. */
const ping = (peers: Set<Peer>): void => {
  for (const peer of peers) {
    if (!peer.answered) peer.webSocket.terminate()
    peer.answered = false
    peer.webSocket.ping()
  }
}

const makeRoom = (peers: Set<Peer>): boolean => {
  if (peers.size < MAX_CONNECTIONS) return true
  for (const peer of peers) {
    if (peer.loggedIn()) continue
    peers.delete(peer)
    peer.webSocket.terminate()
    return true
  }
  return false
}

const admit = (webSocket: WebSocket, peers: Set<Peer>, { solvers, now }: Dependencies): void => {
  const pings = createTokenBucket(PINGS, now)
  const session = solvers.connect({
    send: (text) => {
      if (webSocket.readyState !== webSocket.OPEN) return
      webSocket.send(text)
      if (webSocket.bufferedAmount > MAX_BUFFERED_BYTES) webSocket.terminate()
    },
    close: (code, reason) => closeSoon(webSocket, code, reason),
  })
  const peer: Peer = { webSocket, loggedIn: session.loggedIn, answered: true }
  peers.add(peer)
  webSocket.on('message', (frame, isBinary) => session.receive(isBinary ? undefined : frame.toString()))
  webSocket.on('pong', () => {
    peer.answered = true
  })
  webSocket.on('ping', () => {
    if (!pings.take()) webSocket.terminate()
  })
  webSocket.on('close', () => {
    peers.delete(peer)
    session.closed()
  })
}

/** Sends a close frame, and disconnects a peer that does not answer it. */
const closeSoon = (webSocket: WebSocket, code: number, reason: string): void => {
  webSocket.close(code, reason)
  setTimeout(() => webSocket.terminate(), CLOSE_MS).unref()
}
