import type { Instant } from '../core/instant.ts'
import { createTokenBucket, type TokenBucket } from '../lib/token-bucket.ts'
import { tooManyRequests } from './rate-limit.ts'

/**
 * Bounds the quotes that one client adds to the store: a client regains the quotes of a day evenly over the day. A client is
 * the one of all limits (`clientKey`): an IPv4 address or an IPv6 /64. Counted by /48, the neighbours in a university or at
 * a host would share one count; the price is that who owns a /48 has 65,536 counts.
 */
export type DailyQuotes = {
  /** Throws RATE_LIMITED, with the time until a quote is regained, if the client has none left. */
  readonly expectLeft: (client: string) => void
  /** Counts quotes that were answered to the client. */
  readonly add: (client: string, quotes: number) => void
  /** The most quotes that one client has had and not regained. */
  readonly busiest: () => number
  /** How many clients have no quote left. */
  readonly exhausted: () => number
}

const DAY_MS = 86_400_000
/** Clients counted at once. */
const MAX_CLIENTS = 50_000
/** Many at once, because finding them reads all counts. */
const FORGOTTEN_AT_ONCE = 2_500

/**
 * Creates the counts; a client has `limit` quotes at first and never more. Requests in flight may exceed them; the client regains
 * these first. Among too many clients those are forgotten that have used the least.
 */
export const createDailyQuotes = (limit: number, now: () => Instant): DailyQuotes => {
  const size = { burst: limit, perSecond: limit / (DAY_MS / 1000) }
  const buckets = new Map<string, TokenBucket>()
  const forgetLeastUsed = (): void => {
    const byUse = [...buckets].map(([client, bucket]) => ({ client, left: bucket.left() }))
    byUse.sort((one, other) => other.left - one.left)
    for (const { client } of byUse.slice(0, FORGOTTEN_AT_ONCE)) buckets.delete(client)
  }
  const begin = (client: string): TokenBucket => {
    if (buckets.size >= MAX_CLIENTS) forgetLeastUsed()
    const bucket = createTokenBucket(size, now)
    buckets.set(client, bucket)
    return bucket
  }
  const lefts = (): readonly number[] => [...buckets.values()].map((bucket) => bucket.left())
  return {
    expectLeft: (client) => {
      const left = buckets.get(client)?.left() ?? limit
      if (left >= 1) return
      const waitMs = Math.min(DAY_MS, ((1 - left) / limit) * DAY_MS)
      throw tooManyRequests(`this address has had its ${limit} quotes, which it regains over a day`, waitMs)
    },
    add: (client, quotes) => (buckets.get(client) ?? begin(client)).spend(quotes),
    busiest: () => Math.ceil(limit - lefts().reduce((least, left) => Math.min(least, left), limit)),
    exhausted: () => lefts().filter((left) => left < 1).length,
  }
}
