import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'

const MAX_SOCKETS = 8
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** What a server answered: its HTTP status and its whole body. */
type HttpAnswer = { readonly status: number; readonly text: string }

/** Posts JSON to one address over kept connections. */
export type HttpPost = {
  /** Rejects when no whole answer of at most 8 MiB arrives within the deadline, in milliseconds. */
  readonly post: (body: string, deadlineMs: number) => Promise<HttpAnswer>
  readonly close: () => void
}

type Exchange = {
  readonly send: typeof httpRequest
  readonly options: RequestOptions
  readonly body: string
  readonly deadlineMs: number
}

const exchange = ({ send, options, body, deadlineMs }: Exchange): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const call = send(options)
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
    const fail = (error: unknown): void => {
      clearTimeout(timer)
      reject(error)
    }
    call.on('error', fail)
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_RESPONSE_BYTES)
          call.destroy(new Error(`answer of more than ${MAX_RESPONSE_BYTES} bytes`))
        else chunks.push(chunk)
      })
      response.on('error', fail)
      response.on('close', () => {
        if (response.complete) return
        fail(new Error('connection closed within the answer'))
      })
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
      })
    })
    call.end(body)
  })

/** A server may close a kept connection just when it is used again; what was not answered can be sent once more. */
const isStaleConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/** A poster to `url`, which may hold credentials and is therefore never part of an error or a log line. */
export const createHttpPost = (url: string): HttpPost => {
  const target = new URL(url)
  const isSecure = target.protocol === 'https:'
  const pooling = { keepAlive: true, maxSockets: MAX_SOCKETS }
  const agent = isSecure ? new HttpsAgent(pooling) : new HttpAgent(pooling)
  const send = isSecure ? httpsRequest : httpRequest
  const base = urlToHttpOptions(target)
  const post = async (body: string, deadlineMs: number): Promise<HttpAnswer> => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options: RequestOptions = { ...base, agent, method: 'POST', headers }
    const started = performance.now()
    try {
      return await exchange({ send, options, body, deadlineMs })
    } catch (error) {
      const leftMs = deadlineMs - (performance.now() - started)
      if (!isStaleConnection(error) || leftMs <= 0) throw error
      return exchange({ send, options, body, deadlineMs: leftMs })
    }
  }
  return { post, close: () => agent.destroy() }
}
