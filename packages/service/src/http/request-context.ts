import type { IncomingMessage, ServerResponse } from 'node:http'
import { RfqError } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import { type Answer, errorAnswer } from './answer.ts'
import { COMMON_HEADERS, rateHeaders } from './common-headers.ts'
import type { Metrics } from './metrics.ts'
import type { RateLimitDecision } from './rate-limit.ts'

/** An unread body larger than this costs more to skip than a new connection. */
const MAX_SKIPPED_BYTES = 1024 * 1024

/** One request on its way to its answer. */
export type RequestContext = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly endpointName: string
  readonly startedAt: Instant
  readonly rateLimitDecision: RateLimitDecision | undefined
}

/** Ends an exchange with an answer, or with the answer to an error. */
export type Responder = {
  readonly send: (context: RequestContext, answer: Answer) => void
  readonly fail: (context: RequestContext, error: unknown) => void
}

type Dependencies = {
  readonly now: () => Instant
  readonly log: Log
  readonly metrics: Pick<Metrics, 'requestAnswered'>
  readonly isDraining: () => boolean
}

/** Writes answers with the headers that all of them carry; an unexpected error is logged once and told as a 500. */
export const createResponder = ({ now, log, metrics, isDraining }: Dependencies): Responder => {
  const send = (context: RequestContext, answer: Answer): void => {
    const { request, response, requestId, endpointName, startedAt, rateLimitDecision } = context
    if (response.headersSent || response.destroyed) return
    const headers = [
      ...COMMON_HEADERS,
      'x-request-id',
      requestId,
      ...rateHeaders(rateLimitDecision),
      ...answer.headers,
    ]
    if (isDraining() || leavesMuchUnread(request)) headers.push('connection', 'close')
    const length = answer.isAscii === true ? answer.body.length : Buffer.byteLength(answer.body)
    if (hasLength(answer.status)) headers.push('content-length', length.toString())
    response.writeHead(answer.status, headers)
    // Text of as many bytes as characters is ASCII, and Node copies it faster when told so.
    response.end(answer.body, length === answer.body.length ? 'latin1' : 'utf8')
    metrics.requestAnswered(endpointName, answer.status, (now() - startedAt) / 1000)
  }

  const fail = (context: RequestContext, error: unknown): void => {
    if (error instanceof RfqError && error.code !== 'INTERNAL_ERROR') {
      send(context, errorAnswer(error))
      return
    }
    const { requestId, endpointName } = context
    log('error', 'unexpected error in a request', { requestId, endpoint: endpointName, error })
    const told = new RfqError('INTERNAL_ERROR', 'unexpected error; it is safe to retry', { requestId })
    send(context, errorAnswer(told))
  }

  return { send, fail }
}

const hasLength = (status: number): boolean => status !== 204 && status !== 304

const leavesMuchUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_SKIPPED_BYTES)
