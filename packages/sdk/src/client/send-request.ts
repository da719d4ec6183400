import { DeadlineError, withDeadline } from './deadline.ts'
import { readText } from './read-text.ts'
import { TransportError } from './transport-error.ts'

/** The service's base URL, which ends with a slash, and the deadline of one request. */
export type Connection = {
  readonly baseUrl: URL
  readonly fetch: typeof fetch
  readonly timeoutMs: number
}

/** One request: `path` is relative to the base URL, undefined query values are left out, `body` is JSON text. */
export type Call = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
}

/**
 * An HTTP answer: status, body as text and as JSON (undefined when it is not JSON), and `retry-after` in milliseconds
 * when it is a number of seconds.
 */
export type Answer = {
  readonly status: number
  readonly text: string
  readonly json: unknown
  readonly retryAfterMs: number | undefined
}

const MAX_BODY_BYTES = 32 * 1024 * 1024

/**
 * Sends one request and reads its whole answer within the deadline. A redirect is an error, because requests go only to
 * the base URL. Throws TransportError when no complete answer came, and the signal's reason when the caller aborted.
 * Only network failures count as unreachable.
 */
export const sendRequest = async (connection: Connection, call: Call): Promise<Answer> => {
  const url = addressOf(connection.baseUrl, call)
  const { timeoutMs } = connection
  try {
    return await withDeadline({ timeoutMs, signal: call.signal }, (signal) =>
      fetchAnswer(connection, call, url, signal),
    )
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    throw new TransportError('timeout', `no answer from ${url} within ${timeoutMs} ms`, true)
  }
}

const fetchAnswer = async (
  connection: Connection,
  { method, body }: Call,
  url: string,
  signal: AbortSignal,
): Promise<Answer> => {
  const headers = { accept: 'application/json', ...(body === undefined ? {} : JSON_BODY) }
  const response = await reached(
    url,
    connection.fetch(url, {
      method,
      signal,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    }),
  )
  if (isRedirect(response))
    throw new TransportError('malformed', `${url} answered with a redirect, which is not followed`, false)
  const text = await readText(response, MAX_BODY_BYTES, (part) => reached(url, part))
  if (text === undefined)
    throw new TransportError('malformed', `the answer of ${url} exceeds ${MAX_BODY_BYTES} bytes`, false)
  return {
    status: response.status,
    text,
    json: parseJson(text),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  }
}

/** Browsers hide the status of a redirect. */
export const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400)

const JSON_BODY = { 'content-type': 'application/json' }

/** The URL of a request. */
export const addressOf = (baseUrl: URL, call: Pick<Call, 'path' | 'query'>): string => {
  const url = new URL(call.path, baseUrl)
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Awaits a network operation of a URL; its failure is reported as unreachable, except that of a body that cannot be decoded. */
export const reached = async <T>(url: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    if (isUndecodable(cause))
      throw new TransportError(
        'malformed',
        `${url} answered a body that cannot be decoded: ${causeOf(cause)}`,
        false,
        {
          cause,
        },
      )
    throw new TransportError('unreachable', `cannot reach ${url}: ${causeOf(cause)}`, true, { cause })
  }
}

/** Node's decompression errors have a zlib code; browsers do not tell them from a broken connection. */
const isUndecodable = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  String(Reflect.get(error.cause, 'code')).startsWith('Z_')

/** The value of JSON text; undefined when it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const retryAfterMs = (header: string | null): number | undefined =>
  header !== null && /^[0-9]{1,6}$/.test(header.trim()) ? Number(header) * 1000 : undefined

/** Node's fetch reports the failure in the error's cause. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (!(error.cause instanceof Error)) return error.message
  return error.cause.message !== '' ? error.cause.message : String(Reflect.get(error.cause, 'code'))
}
