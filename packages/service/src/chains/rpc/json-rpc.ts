import { z } from 'zod'
import { createHttpPost, type HttpPost } from './http-post.ts'

/** One JSON-RPC request. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** What a node said to one request. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string }

/** Reads JSON; `JSON.parse` unless a family writes integers that a number cannot hold. */
export type ParseJson = (text: string) => unknown

/** One JSON-RPC endpoint. Source: JSON-RPC 2.0. */
export type RpcEndpoint = {
  /** The answers in the order of the calls; rejects when the endpoint does not answer all of them within the deadline. */
  readonly ask: (calls: readonly RpcCall[], deadlineMs: number) => Promise<readonly RpcAnswer[]>
  readonly close: () => void
}

const MAX_BATCH = 50

const Envelope = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})
type Envelope = z.infer<typeof Envelope>

const answerOf = ({ result, error }: Envelope): RpcAnswer =>
  error === undefined || error === null ? { ok: true, result } : { ok: false, ...error }

const requestOf = (call: RpcCall, id: number): object => ({ jsonrpc: '2.0', id, ...call })

/** Where requests go, and how the text of an answer is read. */
type Line = { readonly http: HttpPost; readonly parseJson: ParseJson }

const send = async ({ http, parseJson }: Line, payload: unknown, deadlineMs: number): Promise<unknown> => {
  const { status, text } = await http.post(JSON.stringify(payload), deadlineMs)
  if (status === 429 || status >= 500) throw new Error(`HTTP status ${status}`)
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`HTTP status ${status} and a body that is not JSON`, { cause })
  }
}

const askOne = async (line: Line, call: RpcCall, deadlineMs: number): Promise<RpcAnswer> => {
  const envelope = Envelope.parse(await send(line, requestOf(call, 0), deadlineMs))
  if (envelope.id !== 0) throw new Error(`answer to request ${envelope.id}, expected 0`)
  return answerOf(envelope)
}

/** The answers by request id; a batch may be answered in any order but must be answered whole. */
const inOrder = (envelopes: readonly Envelope[], count: number): readonly RpcAnswer[] => {
  const byId = new Map(envelopes.map((envelope) => [envelope.id, envelope]))
  return Array.from({ length: count }, (_, id) => {
    const envelope = byId.get(id)
    if (envelope === undefined) throw new Error(`batch answered without request ${id}`)
    return answerOf(envelope)
  })
}

/** An endpoint that is asked in batches, or one by one once it has shown that it takes no batches. */
export const createRpcEndpoint = (url: string, parseJson: ParseJson = JSON.parse): RpcEndpoint => {
  const http = createHttpPost(url)
  const line: Line = { http, parseJson }
  let takesBatches = true
  const askEach = (calls: readonly RpcCall[], deadlineMs: number): Promise<readonly RpcAnswer[]> =>
    Promise.all(calls.map((call) => askOne(line, call, deadlineMs)))
  const askBatch = async (calls: readonly RpcCall[], deadlineMs: number): Promise<readonly RpcAnswer[]> => {
    if (calls.length === 1 || !takesBatches) return askEach(calls, deadlineMs)
    const started = performance.now()
    const body = await send(line, calls.map(requestOf), deadlineMs)
    if (Array.isArray(body)) return inOrder(z.array(Envelope).parse(body), calls.length)
    const answers = await askEach(calls, Math.max(1, deadlineMs - (performance.now() - started)))
    takesBatches = false
    return answers
  }
  const ask = async (calls: readonly RpcCall[], deadlineMs: number): Promise<readonly RpcAnswer[]> => {
    const batches = Array.from({ length: Math.ceil(calls.length / MAX_BATCH) }, (_, position) =>
      calls.slice(position * MAX_BATCH, (position + 1) * MAX_BATCH),
    )
    const answers = await Promise.all(batches.map((batch) => askBatch(batch, deadlineMs)))
    return answers.flat()
  }
  return { ask, close: http.close }
}
