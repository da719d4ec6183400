import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Instant } from '../core/instant.ts'
import { PROTOCOL_LIMITS } from '../intents/solver-api/protocol.ts'
import type { SolverNetwork } from '../intents/solver-api/solver-network.ts'
import { createLru } from '../lib/lru.ts'
import { createTokenBucket, type TokenBucket } from '../lib/token-bucket.ts'
import { clientKey, forwardedKey } from './client-key.ts'
import { rejectUpgrade } from './reject-bytes.ts'

/** The WebSocket side of the solver protocol, on the port of the HTTP server. Source: docs/solver-protocol.md. */
export type SolverSocket = {
  /** Whether an upgrade is for solvers; every other one is served as if it had asked for none. */
  readonly wants: (request: IncomingMessage) => boolean
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Tells every solver that the service is going away, and cuts what is still open a second later. */
  readonly close: () => void
}

type Dependencies = {
  readonly network: Pick<SolverNetwork, 'connect'>
  /** True takes the client's address from the last entry of `x-forwarded-for`. */
  readonly trustProxy: boolean
  readonly now: () => Instant
  readonly randomId: () => string
}

const PATH = /^\/v1\/solver(\?|$)/
const MAX_CONNECTIONS = 64
const PING_MS = 10_000
const CLOSE_MS = 1_000
/** What may wait for a peer to read it. */
const MAX_BUFFERED_BYTES = 262_144
const PINGS = { burst: 20, perSecond: 2 }
/** Connections one address may open; each costs at most one check of a signature. */
const OPENINGS = { burst: 50, perSecond: 5 }
const MAX_ADDRESSES = 10_000
const GOING_AWAY = 1001

type Peer = { readonly webSocket: WebSocket; readonly loggedIn: () => boolean; answered: boolean }

/**
 * Accepts solvers. At most 64 connections are open: a new one takes the place of the oldest that has not logged in. A
 * peer that answers no ping within ten seconds, or does not read what it is sent, is cut.
 */
export const createSolverSocket = (deps: Dependencies): SolverSocket => {
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: PROTOCOL_LIMITS.maxFrameBytes,
    maxFragments: 64,
  })
  handshakes.on('wsClientError', (error, socket) => {
    rejectUpgrade(socket, 400, `the WebSocket handshake is not valid: ${error.message}`, deps.randomId())
  })
  const peers = new Set<Peer>()
  const mayOpen = createOpenings(deps)
  let closing = false

  const timer = setInterval(() => {
    for (const peer of peers) {
      if (!peer.answered) peer.webSocket.terminate()
      peer.answered = false
      peer.webSocket.ping()
    }
  }, PING_MS)
  timer.unref()

  return {
    wants: ({ url = '/' }) => PATH.test(url),
    upgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      if (closing || !mayOpen(request) || !makeRoom(peers)) {
        rejectUpgrade(socket, 429, 'too many connections of solvers', deps.randomId())
        return
      }
      handshakes.handleUpgrade(request, socket, head, (webSocket) => admit(webSocket, peers, deps))
    },
    close: () => {
      closing = true
      clearInterval(timer)
      for (const { webSocket } of peers) closeSoon(webSocket, GOING_AWAY, 'the service is going away')
    },
  }
}

const createOpenings = ({ trustProxy, now }: Dependencies): ((request: IncomingMessage) => boolean) => {
  const buckets = createLru<string, TokenBucket>(MAX_ADDRESSES)
  return ({ socket, headers }) => {
    const forwarded = trustProxy ? forwardedKey(headers['x-forwarded-for']) : undefined
    const key = forwarded ?? clientKey(socket.remoteAddress ?? '') ?? 'unknown'
    const bucket = buckets.get(key) ?? createTokenBucket(OPENINGS, now)
    buckets.set(key, bucket)
    return bucket.take()
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

const admit = (webSocket: WebSocket, peers: Set<Peer>, { network, now }: Dependencies): void => {
  const pings = createTokenBucket(PINGS, now)
  const session = network.connect({
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
  // What the peer did wrong is told by the close that follows every error.
  webSocket.on('error', () => {})
  webSocket.on('close', () => {
    peers.delete(peer)
    session.closed()
  })
}

/** Says goodbye, and cuts a peer that does not answer it. */
const closeSoon = (webSocket: WebSocket, code: number, reason: string): void => {
  webSocket.close(code, reason)
  setTimeout(() => webSocket.terminate(), CLOSE_MS).unref()
}
