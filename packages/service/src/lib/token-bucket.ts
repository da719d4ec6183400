/** A bucket's capacity, and the tokens it regains per second, fractions included. */
export type BucketSize = { readonly burst: number; readonly perSecond: number }

/** A token bucket: it starts full. */
export type TokenBucket = {
  /** Takes one token, or returns false when less than one is left. */
  readonly take: () => boolean
  /** Takes tokens even if fewer are left; the bucket then owes the rest, which it regains first. */
  readonly spend: (tokens: number) => void
  /** The tokens left, fractions included; negative while the bucket owes some. */
  readonly left: () => number
}

/**
 * Creates a full bucket; `now` is in milliseconds. While the clock is behind its highest value, nothing is regained.
 */
export const createTokenBucket = ({ burst, perSecond }: BucketSize, now: () => number): TokenBucket => {
  let tokens = burst
  let at = now()
  const left = (): number => {
    const elapsedMs = Math.max(0, now() - at)
    tokens = Math.min(burst, tokens + (elapsedMs * perSecond) / 1000)
    at += elapsedMs
    return tokens
  }
  return {
    take: () => {
      if (left() < 1) return false
      tokens -= 1
      return true
    },
    spend: (spent) => {
      tokens = left() - spent
    },
    left,
  }
}
