import type { IncomingMessage } from 'node:http'
import { RfqError } from '@openrfq/sdk'
import { type Answer, errorAnswer } from './answer.ts'
import { PREFLIGHT_HEADERS } from './common-headers.ts'

/** The methods a path answers, `GET` standing for `HEAD` too; empty for a path that does not exist. */
type Methods = readonly string[]

/** The answer to a path or method that has no endpoint: 204 to a preflight, else 404 or 405. */
export const targetErrorResponse = (method: string, path: string, methods: Methods): Answer => {
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT_HEADERS, body: '' }
  if (methods.length === 0) return invalid(`no endpoint at ${quote(path)}`, 404)
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return invalid(`${path} does not answer ${method}; expected one of ${allowed}`, 405, ['allow', allowed])
}

/** The answer to headers that HTTP/1.1 does not allow us to serve, or undefined when they are fine. */
export const headersErrorResponse = ({ headers, httpVersion }: IncomingMessage): Answer | undefined => {
  if (headers.host === undefined && httpVersion === '1.1') return invalid('the host header is missing')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return invalid(`expect is ${quote(headers.expect)}; expected 100-continue`, 417)
  }
  return undefined
}

/** The answer to one request too many; the client may come back after the seconds it names. */
export const tooManyRequestsResponse = (message: string, retryAfterSeconds: number): Answer =>
  errorAnswer(new RfqError('RATE_LIMITED', message, { retryAfterSeconds }), undefined, [
    'retry-after',
    retryAfterSeconds.toString(),
  ])

const invalid = (message: string, status = 400, headers: readonly string[] = []): Answer =>
  errorAnswer(new RfqError('INVALID_REQUEST', message), status, headers)

const quote = (text: string): string => JSON.stringify(text.slice(0, 128))
