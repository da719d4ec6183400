import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { CodedError } from './coded-error.ts'
import { startDeadline } from './deadline-timer.ts'

/** One request: POST of JSON text with a body, else GET. It must be safe to send twice. */
export type HttpRequest = {
  /** Its user name and password are sent as basic authentication. */
  readonly url: URL
  readonly body?: string
  /** Further headers, such as a provider's key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Deadline of the whole exchange, including the body. */
  readonly deadlineMs: number
  /** The largest accepted body. */
  readonly maxBytes: number
}

/** A server's answer: HTTP status and whole body. Redirects are answers too. */
export type HttpAnswer = {
  readonly status: number
  readonly text: string
  /** The header `Retry-After` as sent, if any. */
  readonly retryAfter?: string | undefined
}

/** Why there is no answer: `TIMED_OUT`, `TOO_LARGE`, or `UNREACHABLE` for every connection failure. */
export type HttpFaultCode = 'TIMED_OUT' | 'TOO_LARGE' | 'UNREACHABLE'

/** There is no complete answer. The message never contains the URL, which may hold credentials. */
export class HttpFault extends CodedError<HttpFaultCode> {}

/** Sends requests over kept connections. */
export type HttpClient = {
  /** Returns the answer within deadline and size limit; throws HttpFault. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>
  /** The same for an answer that is no text. */
  readonly read: (request: HttpRequest) => Promise<Pick<HttpAnswer, 'status'> & { readonly bytes: Buffer }>
  /** Aborts running requests. */
  readonly close: () => void
}

const CONNECTIONS_PER_ORIGIN = 8
/** Error codes of a connection that the server closed while it was idle. */
const CLOSED_BY_SERVER: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** Creates a client with at most eight connections per server, to the addresses that `lookup` finds for its host. */
export const createHttpClient = (lookup?: LookupFunction): HttpClient => {
  const agent = new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    // The caller sets deadlines; the agent's own timers would be an extra cost per request.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(lookup === undefined ? {} : { connect: connectorOf(lookup) }),
  })
  const read = async (request: HttpRequest) => {
    const aborter = new AbortController()
    const cancel = startDeadline(request.deadlineMs, () => aborter.abort())
    try {
      const response = await open(agent, optionsOf(request, aborter.signal))
      const bytes = await readBytes(response.body, request.maxBytes)
      return { status: response.statusCode, bytes, headers: response.headers }
    } catch (error) {
      if (aborter.signal.aborted)
        throw new HttpFault('TIMED_OUT', `no answer within ${request.deadlineMs} ms`)
      throw error instanceof HttpFault
        ? error
        : new HttpFault('UNREACHABLE', `connection failed: ${codeOf(error)}`)
    } finally {
      cancel()
    }
  }
  return {
    send: async (request) => {
      const { status, bytes, headers } = await read(request)
      const { 'retry-after': retryAfter } = headers
      return {
        status,
        text: bytes.toString('utf8'),
        ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
      }
    },
    read,
    close: () => {
      // Ignores rejections: every running request has a caller.
      agent.destroy().catch(() => undefined)
    },
  }
}

/** Connects to what `lookup` answers, also for a host that is an address already, which Node itself does not look up. */
const connectorOf = (lookup: LookupFunction): buildConnector.connector => {
  const connect = buildConnector({ lookup })
  return (options, callback) => {
    const address = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(address) === 0) return connect(options, callback)
    lookup(address, {}, (fault) => (fault === null ? connect(options, callback) : callback(fault, null)))
  }
}

const optionsOf = ({ url, body, headers }: HttpRequest, signal: AbortSignal): Dispatcher.RequestOptions => ({
  origin: url.origin,
  path: url.pathname + url.search,
  signal,
  headers: {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(url.username + url.password === '' ? {} : { authorization: basicOf(url) }),
    ...headers,
  },
  ...(body === undefined ? { method: 'GET' } : { method: 'POST', body }),
})

const basicOf = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`

/** A server may close a kept connection just when it is used again; an unanswered request is then sent once more. */
const open = async (agent: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> => {
  try {
    return await agent.request(options)
  } catch (error) {
    if (!CLOSED_BY_SERVER.has(codeOf(error))) throw error
    return agent.request(options)
  }
}

const readBytes = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new HttpFault('TOO_LARGE', `answer of more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
