import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { CORS_HEADERS } from '../cors.ts'
import { listenLocally, listenLocallyOr, readBody, SERVER_OPTIONS } from '../local-server.ts'
import { answerJsonRpc, type RpcMethodCall } from './json-rpc.ts'
import type { PubSub } from './pub-sub.ts'

/** The node's HTTP and WebSocket servers on 127.0.0.1. */
export type NodeServer = {
  readonly rpcUrl: string
  readonly subscriptionsUrl: string
  /** False drops every connection, open and new, until set to true. */
  readonly setUp: (up: boolean) => void
  readonly stop: () => Promise<void>
}

const MAX_BODY_BYTES = 50 * 1024
const MAX_CONNECTIONS = 1024
const MAX_PORT = 65_535

const respond = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...CORS_HEADERS, 'content-type': type })
  response.end(body)
}

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  call: RpcMethodCall,
): Promise<void> => {
  if (request.method === 'OPTIONS') return respond(response, 204, 'text/plain', '')
  if (request.method === 'GET' && request.url === '/health') return respond(response, 200, 'text/plain', 'ok')
  if (request.method !== 'POST')
    return respond(
      response,
      405,
      'text/plain',
      'Used HTTP Method is not allowed. POST or OPTIONS is required',
    )
  const body = await readBody(request, MAX_BODY_BYTES)
  if (body === undefined) return respond(response, 413, 'text/plain', 'Request body too large')
  respond(response, 200, 'application/json; charset=utf-8', (await answerJsonRpc(body, call)) ?? '')
}

/** Whether a server could listen on the port. */
const listensOn = (server: Server, port: number): Promise<boolean> =>
  listenLocally(server, port).then(
    () => true,
    () => false,
  )

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
  })

/**
 * Serves JSON-RPC over HTTP and PubSub over WebSocket; bodies and messages are at most 50 KiB, as on real nodes. PubSub is
 * on the same port, and on the next one where that is free, as clients of the first version of web3.js expect.
 */
export const startNodeServer = async ({
  call,
  pubSub,
  port: wanted = 0,
}: {
  readonly call: RpcMethodCall
  readonly pubSub: PubSub
  /** Taken where it is free; any free one by default. */
  readonly port?: number
}): Promise<NodeServer> => {
  const sockets = new Set<Socket>()
  let up = true
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  const createNode = (): Server => {
    const server = createServer(SERVER_OPTIONS, (request, response) => {
      answer(request, response, call).catch(() => response.destroy())
    })
    server.maxConnections = MAX_CONNECTIONS
    server.on('connection', (socket) => {
      if (!up) {
        socket.destroy()
        return
      }
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    return server.on('upgrade', (request, socket, head) =>
      upgrades.handleUpgrade(request, socket, head, (client) => pubSub.accept(client)),
    )
  }
  const [server, beside] = [createNode(), createNode()]
  const port = await listenLocallyOr(server, wanted)
  const isBeside = port < MAX_PORT && (await listensOn(beside, port + 1))
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    subscriptionsUrl: `ws://127.0.0.1:${isBeside ? port + 1 : port}`,
    setUp: (next) => {
      up = next
      if (!up) dropAll()
    },
    stop: async () => {
      const closed = [server, ...(isBeside ? [beside] : [])].map(close)
      dropAll()
      await Promise.all(closed)
    },
  }
}
