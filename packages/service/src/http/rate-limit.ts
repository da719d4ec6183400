import type { Instant } from '../core/instant.ts'
import { createLru } from '../lib/lru.ts'
import { createTokenBucket, type TokenBucket } from '../lib/token-bucket.ts'

/** Requests a client may send at once, and how many it regains each second. */
export const BURST_REQUESTS = 500
const REFILL_PER_SECOND = 50
/** The clients remembered; under more of them within ten seconds, the longest silent regain their burst early. */
const MAX_CLIENTS = 100_000

/** What a client has left: whole requests, and whole seconds (rounded up) until the next one and until all. */
export type RateLimitDecision = {
  readonly allowed: boolean
  readonly remaining: number
  readonly retryAfterSeconds: number
  readonly resetSeconds: number
}

export type RateLimit = (key: string) => RateLimitDecision

/** A token bucket per key, for a bounded number of keys. */
export const createRateLimit = (now: () => Instant): RateLimit => {
  const buckets = createLru<string, TokenBucket>(MAX_CLIENTS)
  const bucketOf = (key: string): TokenBucket => {
    const known = buckets.get(key)
    if (known !== undefined) return known
    const bucket = createTokenBucket({ burst: BURST_REQUESTS, perSecond: REFILL_PER_SECOND }, now)
    buckets.set(key, bucket)
    return bucket
  }
  return (key) => {
    const bucket = bucketOf(key)
    const allowed = bucket.take()
    const left = bucket.left()
    return {
      allowed,
      remaining: Math.floor(left),
      retryAfterSeconds: Math.max(1, Math.ceil((1 - left) / REFILL_PER_SECOND)),
      resetSeconds: Math.ceil((BURST_REQUESTS - left) / REFILL_PER_SECOND),
    }
  }
}
