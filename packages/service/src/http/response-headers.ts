/**
 * Headers of every answer: any web page may call this public interface and read its limits, and browsers must not guess
 * content types. `x-request-id` and the rate-limit headers are added.
 */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'date, x-request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, etag',
  'x-content-type-options': 'nosniff',
} as const

/** Headers of a preflight answer, which allow everything of this interface for a day. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
} as const

const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers of JSON that must not be cached. */
export const FRESH_JSON = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' } as const

/** Headers of JSON that must not be cached and is compressed on request. */
export const COMPRESSED_JSON = { ...FRESH_JSON, vary: 'accept-encoding' } as const

/** Headers of JSON that may be cached for `maxAgeSeconds`. */
export const cachedJson = (maxAgeSeconds: number): Readonly<Record<string, string>> => ({
  'content-type': JSON_TYPE,
  'cache-control': `public, max-age=${maxAgeSeconds}`,
})
