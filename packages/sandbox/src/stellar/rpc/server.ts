import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Log } from 'openrfq/lib/log'
import { z } from 'zod'
import { CORS_HEADERS } from '../../cors.ts'
import { listenLocally, readBody, SERVER_OPTIONS } from '../../local-server.ts'
import type { Friendbot } from '../friendbot.ts'
import type { RpcMethod } from './methods.ts'
import { RPC_CODES, RpcFault } from './rpc-fault.ts'

/** The ledger's RPC over HTTP on a free port of 127.0.0.1. */
export type RpcServer = {
  readonly url: string
  /** False drops every connection, open and new, until set to true. */
  readonly setUp: (up: boolean) => void
  readonly stop: () => Promise<void>
}

const LARGEST_BODY_BYTES = 256 * 1024
const MAX_CONNECTIONS = 1024
const PARSE_ERROR = -32700
const INTERNAL_ERROR = -32603
const FRIENDBOT_PATH = '/friendbot'

const Call = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.unknown(),
})

/** The JSON of a request's body; undefined for other text and for a body that is too large. */
const readJson = async (request: IncomingMessage): Promise<unknown> => {
  try {
    return JSON.parse((await readBody(request, LARGEST_BODY_BYTES)) ?? '')
  } catch {
    return undefined
  }
}

const runCall = (methods: ReadonlyMap<string, RpcMethod>, body: unknown, log: Log): unknown => {
  const call = Call.safeParse(body)
  const code = body === undefined ? PARSE_ERROR : RPC_CODES.invalidRequest
  if (!call.success)
    return { jsonrpc: '2.0', id: null, error: { code, message: 'the body is no JSON-RPC 2.0 request' } }
  const { id, method, params } = call.data
  try {
    const run = methods.get(method)
    if (run === undefined) throw new RpcFault(RPC_CODES.unknownMethod, `no such method ${method}`)
    return { jsonrpc: '2.0', id, result: run(params) }
  } catch (error) {
    if (error instanceof RpcFault)
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    log('error', 'stellar_rpc_request_failed', { method, error: String(error) })
    return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: 'internal error' } }
  }
}

type Deps = {
  /** The methods of a node whose friendbot has the URL. */
  readonly methodsAt: (friendbotUrl: string) => ReadonlyMap<string, RpcMethod>
  readonly friendbot: Friendbot
  readonly log: Log
}

const respond = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...CORS_HEADERS,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

const answer = async (
  methods: ReadonlyMap<string, RpcMethod>,
  { friendbot, log }: Deps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, CORS_HEADERS)
    response.end()
    return
  }
  // The host does not matter.
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === FRIENDBOT_PATH) {
    const { status, body } = friendbot(searchParams.get('addr'))
    return respond(response, status, body)
  }
  const body = request.method === 'POST' ? await readJson(request) : undefined
  respond(response, 200, runCall(methods, body, log))
}

/** Serves the methods and the friendbot. Rejects a body over 256 KiB or one that takes over 5 s. */
export const startRpcServer = async (deps: Deps): Promise<RpcServer> => {
  let up = true
  let methods: ReadonlyMap<string, RpcMethod> = new Map()
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    answer(methods, deps, request, response).catch(() => response.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', (socket) => {
    if (!up) socket.destroy()
  })
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  methods = deps.methodsAt(url + FRIENDBOT_PATH)
  return {
    url,
    setUp: (next) => {
      up = next
      if (!up) server.closeAllConnections()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
