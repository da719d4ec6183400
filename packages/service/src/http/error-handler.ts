import { RfqError } from '@openrfq/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../lib/log.ts'
import { errorResponse } from './error-response.ts'
import { leavesMuchUnread, refuseByHeaders } from './read-body.ts'

/** Ends a request with an error. */
export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Answers every error with the interface's error body. An unexpected error is logged once and answered as a 500. */
export const createErrorHandler =
  (log: Log): ErrorHandler =>
  (error, request, reply) => {
    const { status, headers, body } = errorResponse(publicError(error, request, log))
    // Fastify closes the connection after every body it could not parse, even after reading all of it.
    reply.removeHeader('connection')
    if (leavesMuchUnread(request.raw)) reply.header('connection', 'close')
    reply.code(status).headers(headers).send(body)
  }

/** The error that a client is told; an unexpected one is logged. */
export const publicError = (error: unknown, request: FastifyRequest, log: Log): RfqError => {
  if (error instanceof RfqError && error.code !== 'INTERNAL_ERROR') return error
  if (isClientFault(error))
    return refuseByHeaders(request.raw) ?? new RfqError('INVALID_REQUEST', error.message, { field: 'body' })
  const { id: requestId, routeOptions } = request
  log('error', 'request_failed', { requestId, endpoint: routeOptions.config.name, error })
  return new RfqError('INTERNAL_ERROR', 'unexpected error; it is safe to retry', { requestId })
}

/** Whether Fastify itself rejected the request, which it does only for the headers of its body. */
const isClientFault = (error: unknown): error is Error => {
  if (!(error instanceof Error)) return false
  const { code, statusCode } = Object(error)
  return String(code).startsWith('FST_') && statusCode < 500
}
