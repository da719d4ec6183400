import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { CORS_HEADERS } from '../cors.ts'
import { listenLocally, readBody, SERVER_OPTIONS } from '../local-server.ts'
import type { Lie } from './lie.ts'
import type { AnswerCall, JsonFormat, RpcAnswer } from './rpc-message.ts'

/** An RPC endpoint over HTTP on a free port of 127.0.0.1. */
export type EndpointServer = {
  /** For the service. */
  readonly url: string
  /** For everybody else: not affected by `setUp`. */
  readonly neutralUrl: string
  /** False drops every connection of the service, open and new, until it is true again. */
  readonly setUp: (isUp: boolean) => void
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly answer: AnswerCall
  readonly json: JsonFormat
  /** What the endpoint pretends at the moment. */
  readonly lie: () => Lie
  /** Whether it is unreachable for everybody at the moment. */
  readonly isRestarting: () => boolean
}

const MAX_BODY_BYTES = 1024 * 1024
const MAX_CONNECTIONS = 1024
const SLOW_MS = 2500
const SMALL_BATCH = 3
const NEUTRAL_PATH = '/others'
const PARSE_ERROR = { code: -32700, message: 'Parse error' }
const INVALID_REQUEST = { code: -32600, message: 'Invalid request' }
const TOO_LARGE = { code: -32600, message: `batch of more than ${SMALL_BATCH} requests` }
const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>'

const Request = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.unknown().default([]),
})

type Reply = { readonly status: number; readonly type: string; readonly body: string }

const parseJson = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const replyTo = async (text: string | undefined, { answer, json, lie }: Deps): Promise<Reply> => {
  const jsonReply = (value: unknown): Reply => ({
    status: 200,
    type: 'application/json',
    body: json.encode(value),
  })
  const failure = (error: RpcAnswer): Reply => jsonReply({ jsonrpc: '2.0', id: null, ...error })
  const answerOne = async (value: unknown): Promise<unknown> => {
    const request = Request.safeParse(value)
    if (!request.success) return { jsonrpc: '2.0', id: null, error: INVALID_REQUEST }
    const { id, ...call } = request.data
    return { jsonrpc: '2.0', id, ...(await answer(call)) }
  }
  if (lie() === 'rate_limited') return { status: 429, type: 'text/plain', body: 'Too Many Requests' }
  if (lie() === 'html') return { status: 200, type: 'text/html', body: PAGE }
  const value = parseJson(text)
  if (value === undefined) return failure({ error: PARSE_ERROR })
  if (!Array.isArray(value)) return jsonReply(await answerOne(value))
  if (lie() === 'small_batches' && value.length > SMALL_BATCH) return failure({ error: TOO_LARGE })
  return jsonReply(await Promise.all(value.map(answerOne)))
}

const respond = (response: ServerResponse, { status, type, body }: Reply): void => {
  if (response.destroyed) return
  response.writeHead(status, { ...CORS_HEADERS, 'content-type': type }).end(body)
}

/** Serves an endpoint. Beyond 1024 connections new ones are dropped; a body has at most 1 MiB. */
export const startEndpointServer = async (deps: Deps): Promise<EndpointServer> => {
  const timers = new Set<NodeJS.Timeout>()
  const waiting = new Set<ServerResponse>()
  let isUp = true
  const later = (work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, SLOW_MS)
    timers.add(timer)
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isForService = request.url !== NEUTRAL_PATH
    if (deps.isRestarting() || (isForService && !isUp)) return void request.socket.destroy()
    if (request.method === 'OPTIONS') return respond(response, { status: 204, type: 'text/plain', body: '' })
    if (isForService) waiting.add(response)
    response.once('close', () => waiting.delete(response))
    const reply = await replyTo(await readBody(request, MAX_BODY_BYTES), deps)
    if (deps.lie() === 'slow') later(() => respond(response, reply))
    else respond(response, reply)
  }
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  return {
    url,
    neutralUrl: url + NEUTRAL_PATH,
    setUp: (next) => {
      isUp = next
      if (!isUp) for (const response of waiting) response.destroy()
    },
    stop: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
