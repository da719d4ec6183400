import { ServiceFault } from './service-fault.ts'

/** Where the service is and how long one exchange with it may take. */
export type Connection = {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly timeoutMs: number
}

/** One request; `path` is relative to the base address, undefined query values are left out. */
export type ApiCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/**
 * What came back: the HTTP status, the whole body as text and as JSON (undefined when it is none), and `retry-after`
 * in milliseconds when it names seconds.
 */
export type ApiResponse = {
  readonly status: number
  readonly text: string
  readonly json: unknown
  readonly retryAfterMs: number | undefined
}

const MAX_BODY_BYTES = 32 * 1024 * 1024

/**
 * Sends one request and reads its whole answer within the connection's deadline. Throws ServiceFault when no whole
 * answer came, and the reason of the caller's signal when that aborted.
 */
export const sendRequest = async (connection: Connection, call: ApiCall): Promise<ApiResponse> => {
  const url = addressOf(connection.baseUrl, call)
  const deadline = AbortSignal.timeout(connection.timeoutMs)
  try {
    const response = await connection.fetch(url, {
      method: call.method,
      signal: call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]),
      headers: { accept: 'application/json', ...(call.body === undefined ? {} : JSON_BODY) },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
    const text = await readText(response, url)
    return {
      status: response.status,
      text,
      json: parseJson(text),
      retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    }
  } catch (error) {
    if (call.signal?.aborted === true) throw call.signal.reason
    if (error instanceof ServiceFault) throw error
    if (deadline.aborted)
      throw new ServiceFault('deadline', `no answer from ${url} within ${connection.timeoutMs} ms`, true)
    throw new ServiceFault('unreachable', `cannot reach ${url}: ${causeOf(error)}`, true, { cause: error })
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

const addressOf = (baseUrl: string, call: ApiCall): string => {
  const url = new URL(call.path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

const readText = async (response: Response, url: string): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES)
      throw new ServiceFault('malformed', `the answer of ${url} exceeds ${MAX_BODY_BYTES} bytes`, false)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const retryAfterMs = (header: string | null): number | undefined =>
  header !== null && /^[0-9]{1,6}$/.test(header.trim()) ? Number(header) * 1000 : undefined

/** fetch hides what really happened one level down. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (!(error.cause instanceof Error)) return error.message
  return error.cause.message !== '' ? error.cause.message : String(Reflect.get(error.cause, 'code'))
}
