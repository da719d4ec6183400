import type { RateLimitPluginOptions } from '@fastify/rate-limit'
import { RfqError } from '@openrfq/sdk'
import type { ClientKeys } from './client-key.ts'

/** The most clients whose requests are counted; a further one replaces the client that has been inactive longest. */
const MAX_CLIENTS = 50_000

/**
 * Options of @fastify/rate-limit: a number of requests per client and window, reported in the headers of the IETF draft
 * "RateLimit header fields", and RATE_LIMITED above it.
 */
export const rateLimitOptions = (
  { max, windowSeconds }: { readonly max: number; readonly windowSeconds: number },
  clientKeys: ClientKeys,
): RateLimitPluginOptions => ({
  max,
  timeWindow: windowSeconds * 1000,
  cache: MAX_CLIENTS,
  enableDraftSpec: true,
  keyGenerator: (request) => clientKeys.ofRequest(request.raw),
  errorResponseBuilder: (_request, { ttl }) => tooManyRequests('too many requests from this address', ttl),
})

/** RATE_LIMITED with the whole seconds after which the client may return. */
export const tooManyRequests = (message: string, waitMs: number): RfqError =>
  new RfqError('RATE_LIMITED', message, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
