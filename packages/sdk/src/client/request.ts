import type * as z from 'zod/mini'
import { ExecutionError } from '../execute/execution-error.ts'
import { ErrorBody } from '../wire/error-body.ts'
import { describeIssue } from './describe-issue.ts'
import { RfqError } from './rfq-error.ts'
import { type Answer, type Call, type Connection, sendRequest } from './send-request.ts'
import { sleep } from './sleep.ts'
import { TransportError } from './transport-error.ts'

const MAX_ATTEMPTS = 4
const FIRST_BACKOFF_MS = 200
/** A longer retry-after is thrown as an error instead of waited for. */
const MAX_RETRY_AFTER_MS = 15_000
const SHOWN_CHARACTERS = 200

/**
 * Sends a request and parses the answer. Reads are repeated after network failures and 5xx, any request after 429, a
 * few times with growing pauses. Throws RfqError for a rejected request and TransportError when there is no usable
 * answer.
 */
export const request = async <T>(
  connection: Connection,
  call: Call,
  schema: z.ZodMiniType<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(connection, call)
    if (outcome.failure === undefined) return parseAs(schema, outcome.answer, call)
    const pauseMs = attempt < MAX_ATTEMPTS ? pauseBefore(call, outcome, attempt) : undefined
    if (pauseMs === undefined) throw outcome.failure
    await sleep(pauseMs, call.signal)
  }
}

type Outcome =
  | { readonly failure: undefined; readonly answer: Answer }
  | { readonly failure: TransportError | RfqError; readonly retryAfterMs: number | undefined }

const attemptOnce = async (connection: Connection, call: Call): Promise<Outcome> => {
  try {
    const answer = await sendRequest(connection, call)
    if (answer.status === 200) return { failure: undefined, answer }
    return { failure: refusalOf(answer, call), retryAfterMs: answer.retryAfterMs }
  } catch (error) {
    if (error instanceof TransportError) return { failure: error, retryAfterMs: undefined }
    throw error
  }
}

const pauseBefore = (
  call: Call,
  { failure, retryAfterMs }: Exclude<Outcome, { failure: undefined }>,
  attempt: number,
): number | undefined => {
  const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempt - 1)
  if (failure instanceof RfqError && failure.code === 'RATE_LIMITED') {
    const askedMs = retryAfterMs ?? backoffMs
    return askedMs <= MAX_RETRY_AFTER_MS ? Math.max(askedMs, backoffMs) : undefined
  }
  return call.method === 'GET' && isTransient(failure) ? backoffMs : undefined
}

/**
 * Whether repeating the request may succeed: the service could not be reached, it answered INTERNAL_ERROR or RATE_LIMITED, or a
 * swap ended with `no_quote` since nothing could price the pair at the moment.
 * @example
 * const retry = async (client: Client): Promise<readonly Chain[]> => {
 *   try {
 *     return await client.getChains()
 *   } catch (error) {
 *     if (isTransient(error)) return retry(client)
 *     throw error
 *   }
 * }
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof TransportError || error instanceof ExecutionError
    ? error.isTransient
    : error instanceof RfqError && (error.code === 'INTERNAL_ERROR' || error.code === 'RATE_LIMITED')

/** The error that an answer other than 200 stands for. */
export const refusalOf = (
  answer: Pick<Answer, 'status' | 'text' | 'json'>,
  call: Pick<Call, 'method' | 'path'>,
): RfqError | TransportError => {
  const body = ErrorBody.safeParse(answer.json)
  if (body.success) {
    const { code, message, details } = body.data.error
    return new RfqError(code, message, details)
  }
  return new TransportError(
    'malformed',
    `${call.method} ${call.path} answered HTTP ${answer.status} without the service's error body: ${shown(answer.text)}`,
    answer.status >= 500 || answer.status === 429,
  )
}

/** Parses an answer, or an event's data. Throws TransportError `malformed`. */
export const parseAs = <T>(
  schema: z.ZodMiniType<T>,
  answer: Pick<Answer, 'text' | 'json'>,
  call: Pick<Call, 'method' | 'path'>,
): T => {
  const parsed = schema.safeParse(answer.json)
  if (parsed.success) return parsed.data
  throw new TransportError(
    'malformed',
    `${call.method} ${call.path} answered a body that is not in the interface's shape: ${describeIssue(parsed.error.issues)}; got ${shown(answer.text)}`,
    false,
    { cause: parsed.error },
  )
}

const shown = (text: string): string =>
  text.length === 0
    ? 'nothing'
    : text.slice(0, SHOWN_CHARACTERS).replaceAll(/\s+/g, ' ') + (text.length > SHOWN_CHARACTERS ? '…' : '')
