import type { Instant } from '../core/instant.ts'

/** Requests a client may send at once, and how many it regains each second. */
export const BURST_REQUESTS = 500
const REFILL_PER_SECOND = 50
/** After this long without a request a bucket is full again, so it can be forgotten. */
const FULL_AFTER_MS = (BURST_REQUESTS / REFILL_PER_SECOND) * 1000
/** Under more clients than this within one window, the longest silent are forgotten early. */
const MAX_BUCKETS = 50_000

type Bucket = { tokens: number; at: Instant }

/** What a client has left: whole requests, and whole seconds (rounded up) until the next one and until all. */
export type RateLimitDecision = {
  readonly allowed: boolean
  readonly remaining: number
  readonly retryAfterSeconds: number
  readonly resetSeconds: number
}

export type RateLimit = (key: string, now: Instant) => RateLimitDecision

/** A token bucket per key, in two generations so that memory stays bounded without a timer. */
export const createRateLimit = (): RateLimit => {
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let turnedAt: Instant = Number.NEGATIVE_INFINITY

  const bucketOf = (key: string, now: Instant): Bucket => {
    if (now - turnedAt >= FULL_AFTER_MS || young.size >= MAX_BUCKETS) {
      old = young
      young = new Map()
      turnedAt = now
    }
    const known = young.get(key)
    if (known !== undefined) return known
    const bucket = old.get(key) ?? { tokens: BURST_REQUESTS, at: now }
    young.set(key, bucket)
    return bucket
  }

  return (key, now) => {
    const bucket = bucketOf(key, now)
    const elapsedMs = Math.max(0, now - bucket.at)
    bucket.tokens = Math.min(BURST_REQUESTS, bucket.tokens + (elapsedMs * REFILL_PER_SECOND) / 1000)
    bucket.at = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / REFILL_PER_SECOND)),
      resetSeconds: Math.ceil((BURST_REQUESTS - bucket.tokens) / REFILL_PER_SECOND),
    }
  }
}
