import { z } from 'zod'
import { createHttpClient, type HttpAnswer, HttpFault } from '../../lib/http-client.ts'
import { parseAnswer } from './parse-answer.ts'
import { RpcError } from './rpc-error.ts'

/** One JSON-RPC request. */
export type RpcCall = {
  readonly method: string
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>
}

/** The answer of a node to one request. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string }

/** One JSON-RPC endpoint. Source: JSON-RPC 2.0. */
export type RpcEndpoint = {
  /** The answers in the order of the calls; throws RpcError when the endpoint does not answer all of them within the deadline. */
  readonly ask: (calls: readonly RpcCall[], deadlineMs: number) => Promise<readonly RpcAnswer[]>
  readonly close: () => void
}

/** Options common to the endpoints of a chain family. */
export type RpcOptions = {
  /** Reads JSON; `JSON.parse` by default, which is wrong for nodes that write integers above 2^53. */
  readonly parseJson?: (text: string) => unknown
  /** The requests that one batch may hold; 50 by default, 1 for nodes that may take no batches. */
  readonly maximumBatch?: number
  /** Headers that are sent to an endpoint, by its URL. */
  readonly rpcHeaders?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

const MAX_BATCH = 50

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

const Envelope = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})
type Envelope = z.infer<typeof Envelope>

type Send = (payload: unknown, deadlineMs: number) => Promise<unknown>

/** An endpoint that is asked in batches, or one by one once it has shown that it takes no batches. */
export const createRpcEndpoint = (
  url: string,
  { parseJson = JSON.parse, maximumBatch = MAX_BATCH, rpcHeaders = {} }: RpcOptions,
): RpcEndpoint => {
  const http = createHttpClient()
  const target = new URL(url)
  const headers = rpcHeaders[url]
  let takesBatches = true
  const send: Send = async (payload, deadlineMs) => {
    const body = JSON.stringify(payload)
    const request = { url: target, headers, body, deadlineMs, maxBytes: MAX_RESPONSE_BYTES }
    return readBody(await http.send(request).catch(rethrow), parseJson)
  }
  const askBatch = async (calls: readonly RpcCall[], deadlineMs: number): Promise<readonly RpcAnswer[]> => {
    if (calls.length === 1 || !takesBatches) return askEach(send, calls, deadlineMs)
    const started = performance.now()
    const body = await send(calls.map(requestOf), deadlineMs)
    if (Array.isArray(body)) return inOrder(parseAnswer(z.array(Envelope), body), calls.length)
    const answers = await askEach(
      send,
      calls,
      Math.max(1, Math.ceil(deadlineMs - (performance.now() - started))),
    )
    takesBatches = false
    return answers
  }
  const ask = async (calls: readonly RpcCall[], deadlineMs: number): Promise<readonly RpcAnswer[]> => {
    const batches = Array.from({ length: Math.ceil(calls.length / maximumBatch) }, (_, position) =>
      calls.slice(position * maximumBatch, (position + 1) * maximumBatch),
    )
    const answers = await Promise.all(batches.map((batch) => askBatch(batch, deadlineMs)))
    return answers.flat()
  }
  return { ask, close: http.close }
}

const rethrow = (error: unknown): never => {
  throw error instanceof HttpFault ? new RpcError(error.code, error.message) : error
}

const readBody = ({ status, text }: HttpAnswer, parseJson: (text: string) => unknown): unknown => {
  if (status === 429 || status >= 500) throw new RpcError('OVERLOADED', `HTTP status ${status}`)
  try {
    return parseJson(text)
  } catch (cause) {
    throw new RpcError('MALFORMED', `HTTP status ${status} and a body that is not JSON`, { cause })
  }
}

const requestOf = (call: RpcCall, id: number): object => ({ jsonrpc: '2.0', id, ...call })

const answerOf = ({ result, error }: Envelope): RpcAnswer =>
  error === undefined || error === null ? { ok: true, result } : { ok: false, ...error }

const askEach = (send: Send, calls: readonly RpcCall[], deadlineMs: number): Promise<readonly RpcAnswer[]> =>
  Promise.all(calls.map((call) => askOne(send, call, deadlineMs)))

const askOne = async (send: Send, call: RpcCall, deadlineMs: number): Promise<RpcAnswer> => {
  const envelope = parseAnswer(Envelope, await send(requestOf(call, 0), deadlineMs))
  if (envelope.id !== 0) throw new RpcError('MALFORMED', `answer to request ${envelope.id}, expected 0`)
  return answerOf(envelope)
}

/** The answers by request id; a batch may be answered in any order but must be answered whole. */
const inOrder = (envelopes: readonly Envelope[], count: number): readonly RpcAnswer[] => {
  const byId = new Map(envelopes.map((envelope) => [envelope.id, envelope]))
  return Array.from({ length: count }, (_, id) => {
    const envelope = byId.get(id)
    if (envelope === undefined) throw new RpcError('MALFORMED', `batch answered without request ${id}`)
    return answerOf(envelope)
  })
}
