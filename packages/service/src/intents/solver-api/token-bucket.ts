import type { Instant } from '../../core/instant.ts'

/** Takes one of the tokens that are left; false when none is. */
export type TokenBucket = () => boolean

/** Holds up to `burst` tokens, full at first, and regains `perSecond` of them, fractions included. */
export const createTokenBucket = (
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  now: () => Instant,
): TokenBucket => {
  let tokens = burst
  let at = now()
  return () => {
    const elapsedMs = Math.max(0, now() - at)
    tokens = Math.min(burst, tokens + (elapsedMs * perSecond) / 1000)
    at += elapsedMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
