/** A bucket's capacity, and the tokens it regains per second, fractions included. */
export type BucketSize = { readonly burst: number; readonly perSecond: number }

/** A token bucket: it starts full. `take` takes one token, or returns false when less than one is left. */
export type TokenBucket = { readonly take: () => boolean }

/**
 * Creates a full bucket; `now` is in milliseconds. While the clock is behind its highest value, nothing is regained.
 */
export const createTokenBucket = ({ burst, perSecond }: BucketSize, now: () => number): TokenBucket => {
  let tokens = burst
  let at = now()
  return {
    take: () => {
      const elapsedMs = Math.max(0, now() - at)
      tokens = Math.min(burst, tokens + (elapsedMs * perSecond) / 1000)
      at += elapsedMs
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
