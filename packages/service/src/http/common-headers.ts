import type { RateLimitDecision } from './rate-limit.ts'
import { BURST_REQUESTS } from './rate-limit.ts'

/**
 * Headers of every answer: any web page may call this public interface and read its limits, and nothing may sniff
 * another type into a body. `x-request-id` and the rate-limit headers join them.
 */
export const COMMON_HEADERS: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, etag',
  'x-content-type-options',
  'nosniff',
]

/** What a preflight asks for: everything this interface has. Cached by browsers for a day. */
export const PREFLIGHT_HEADERS: readonly string[] = [
  'access-control-allow-methods',
  'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers',
  '*',
  'access-control-max-age',
  '86400',
]

/** What a client has left, under the names of the IETF draft "RateLimit header fields"; reset is in seconds. */
export const rateHeaders = (rateLimitDecision: RateLimitDecision | undefined): readonly string[] =>
  rateLimitDecision === undefined
    ? []
    : [
        'ratelimit-limit',
        BURST_TEXT,
        'ratelimit-remaining',
        rateLimitDecision.remaining.toString(),
        'ratelimit-reset',
        rateLimitDecision.resetSeconds.toString(),
      ]

const BURST_TEXT = BURST_REQUESTS.toString()
