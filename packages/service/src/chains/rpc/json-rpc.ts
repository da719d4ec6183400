import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import { createHttpClient, type HttpAnswer, HttpFault } from '../../lib/http-client.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { createTokenBucket } from '../../lib/token-bucket.ts'
import { createBatchSize } from './batch-size.ts'
import { type CallMeter, createCallMeter } from './call-meter.ts'
import { parseAnswer } from './parse-answer.ts'
import { OverloadedError, RpcError, rpcErrorCode } from './rpc-error.ts'

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
  /** What was sent to it. */
  readonly count: CallMeter['count']
  /** Whether it was sent more than its calls per minute of late. */
  readonly isSpent: () => boolean
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
  /** The calls per minute that an endpoint may be sent, by its URL; a sixth of them at once. */
  readonly rpcCallsPerMinute?: Readonly<Record<string, number>> | undefined
  readonly now: () => Instant
  /** The clock of dates in headers; `now` by default. */
  readonly wallTime?: () => Instant
}

const MAX_BATCH = 50
/** After a refusal the batches that wait for their turn are not sent. */
const BATCHES_AT_ONCE = 8

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

const ErrorObject = z.object({ code: z.number(), message: z.string() })
const Envelope = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: ErrorObject.nullish(),
})
type Envelope = z.infer<typeof Envelope>

/** A refusal of a whole request: an error object, whose id is null or missing. */
const Refused = z.object({ error: ErrorObject })

type Exchange = { readonly answer: HttpAnswer; readonly body: unknown }
type Send = (calls: readonly RpcCall[], payload: unknown, deadlineMs: number) => Promise<Exchange>

/** The batch is too large for the endpoint; smaller ones may be answered. */
const TOO_LARGE = Symbol('too large')

/** The answers to a batch are too large together: others decide how large the transactions of an account are. */
const isTooMuchAtOnce = (error: unknown, calls: readonly RpcCall[]): boolean =>
  calls.length > 1 && rpcErrorCode(error) === 'TOO_LARGE'

/** An endpoint that is asked in batches of the size that it takes, which its refusals teach. */
export const createRpcEndpoint = (url: string, options: RpcOptions): RpcEndpoint => {
  const { parseJson = JSON.parse, maximumBatch = MAX_BATCH, rpcHeaders = {}, now, wallTime = now } = options
  const http = createHttpClient()
  const target = new URL(url)
  const headers = rpcHeaders[url]
  const size = createBatchSize({ maximum: maximumBatch, now })
  const meter = createCallMeter()
  const callsPerMinute = options.rpcCallsPerMinute?.[url]
  const budget = callsPerMinute === undefined ? undefined : createBudget(callsPerMinute, now)
  const send: Send = async (calls, payload, deadlineMs) => {
    meter.sent(calls)
    budget?.spend(calls.length)
    const body = JSON.stringify(payload)
    const request = { url: target, headers, body, deadlineMs, maxBytes: MAX_RESPONSE_BYTES }
    const answer = await http.send(request).catch(rethrow)
    return { answer, body: readBody(answer, parseJson, wallTime()) }
  }
  const askOne = async (call: RpcCall, deadlineMs: number): Promise<RpcAnswer> => {
    const { answer, body } = await send([call], requestOf(call, 0), deadlineMs)
    expectAccepted(answer)
    const envelope = parseAnswer(Envelope, body)
    if (envelope.id !== 0) throw new RpcError('MALFORMED', `answer to request ${envelope.id}, expected 0`)
    return answerOf(envelope)
  }
  const askBatch = async (
    calls: readonly RpcCall[],
    deadlineMs: number,
  ): Promise<readonly RpcAnswer[] | typeof TOO_LARGE> => {
    const [only] = calls
    if (only !== undefined && calls.length === 1) return [await askOne(only, deadlineMs)]
    const { answer, body } = await send(calls, calls.map(requestOf), deadlineMs)
    if (isBatchRefused(answer, body)) {
      size.refused(calls.length)
      return TOO_LARGE
    }
    expectAccepted(answer)
    const answers = inOrder(parseAnswer(z.array(Envelope), body), calls.length)
    size.taken(calls.length)
    return answers
  }
  const ask = async (calls: readonly RpcCall[], deadlineMs: number): Promise<readonly RpcAnswer[]> => {
    const started = performance.now()
    const most = size.current()
    const batches = Array.from({ length: Math.ceil(calls.length / most) }, (_, position) =>
      calls.slice(position * most, (position + 1) * most),
    )
    const leftMs = (): number => {
      const left = Math.floor(deadlineMs - (performance.now() - started))
      if (left <= 0) throw new RpcError('TIMED_OUT', `no answer within ${deadlineMs} ms`)
      return left
    }
    const askInHalves = async (batch: readonly RpcCall[]): Promise<readonly RpcAnswer[]> => {
      const half = Math.ceil(batch.length / 2)
      return [...(await ask(batch.slice(0, half), leftMs())), ...(await ask(batch.slice(half), leftMs()))]
    }
    const answers = await mapAtMost(BATCHES_AT_ONCE, batches, async (batch) => {
      try {
        const answered = await askBatch(batch, leftMs())
        return answered === TOO_LARGE ? await ask(batch, leftMs()) : answered
      } catch (error) {
        if (isTooMuchAtOnce(error, batch)) return askInHalves(batch)
        throw error
      }
    })
    return answers.flat()
  }
  return {
    ask,
    count: meter.count,
    isSpent: () => budget?.isSpent() ?? false,
    close: http.close,
  }
}

/** What is left of an endpoint's calls per minute; those beyond them count for one minute at most. */
const createBudget = (callsPerMinute: number, now: () => Instant) => {
  const bucket = createTokenBucket({ burst: callsPerMinute / 6, perSecond: callsPerMinute / 60 }, now)
  return {
    spend: (calls: number): void => bucket.spend(Math.min(calls, bucket.left() + callsPerMinute)),
    isSpent: (): boolean => bucket.left() < 1,
  }
}

const rethrow = (error: unknown): never => {
  throw error instanceof HttpFault ? new RpcError(error.code, error.message) : error
}

const readBody = (
  { status, text, retryAfter }: HttpAnswer,
  parseJson: (text: string) => unknown,
  wallTime: Instant,
): unknown => {
  if (status === 429 || (status === 503 && retryAfter !== undefined))
    throw new OverloadedError(`HTTP status ${status}`, retryAfterMs(retryAfter, wallTime))
  try {
    return parseJson(text)
  } catch (cause) {
    if (status >= 500) throw new RpcError('OVERLOADED', `HTTP status ${status}`)
    if (status === 413) return undefined
    throw new RpcError('MALFORMED', `HTTP status ${status} and a body that is not JSON`, { cause })
  }
}

const expectAccepted = ({ status }: HttpAnswer): void => {
  if (status >= 500) throw new RpcError('OVERLOADED', `HTTP status ${status}`)
}

/** What providers say to too many calls in a time. */
const RATE = /rate limit|too many requests|limit exceeded|capacity|quota/i
/** The code of dRPC for batches of more than three calls. */
const BATCH_CODE = 31

/**
 * Whether an endpoint refused the batch as such: with one error object instead of a list, unless it says that there were
 * too many calls in a time, or with a status that says that the body is too large. Throws RpcError OVERLOADED for the former.
 */
const isBatchRefused = ({ status }: HttpAnswer, body: unknown): boolean => {
  if (status === 413) return true
  if (Array.isArray(body)) return false
  const { error } = Refused.safeParse(body).data ?? {}
  if (error !== undefined && (error.code === BATCH_CODE || /batch/i.test(error.message))) return true
  if (status >= 500) return false
  if (error !== undefined && RATE.test(error.message))
    throw new OverloadedError(`node refused with code ${error.code}`, undefined)
  return true
}

const requestOf = (call: RpcCall, id: number): object => ({ jsonrpc: '2.0', id, ...call })

const answerOf = ({ result, error }: Envelope): RpcAnswer =>
  error === undefined || error === null ? { ok: true, result } : { ok: false, ...error }

/** The answers by request id; a batch may be answered in any order but must be answered whole. */
const inOrder = (envelopes: readonly Envelope[], count: number): readonly RpcAnswer[] => {
  const byId = new Map(envelopes.map((envelope) => [envelope.id, envelope]))
  return Array.from({ length: count }, (_, id) => {
    const envelope = byId.get(id)
    if (envelope === undefined) throw new RpcError('MALFORMED', `batch answered without request ${id}`)
    return answerOf(envelope)
  })
}
