import type { QuoteId } from '../core/quote-id.ts'
import { createFairShare, type FairShareSize } from '../lib/fair-share.ts'
import { createKeyedBuckets } from '../lib/keyed-buckets.ts'
import { createLru } from '../lib/lru.ts'
import type { BucketSize } from '../lib/token-bucket.ts'

/** Whether the service may look up an unknown message for a quote and a client. */
export type LookupBudget = (quoteId: QuoteId, messageId: string, client: string) => boolean

/**
 * How many unknown messages are looked up: of one quote, which has one or two real ones, for one client, and for all, of
 * whom none takes more than is free.
 */
const UNKNOWN_OF_QUOTE: BucketSize = { burst: 8, perSecond: 1 }
const UNKNOWN_OF_CLIENT: BucketSize = { burst: 40, perSecond: 10 }
const UNKNOWN_OF_ALL: FairShareSize = { most: 200, windowMs: 4_000 }
const QUOTES_KEPT = 10_000
const CLIENTS_KEPT = 10_000
const MESSAGES_KEPT = 20_000

/**
 * Lets through as many unknown messages as the chains' endpoints can bear. One that was let through costs nothing again:
 * chains are read about it once per block. `now` in milliseconds.
 */
export const createLookupBudget = (now: () => number): LookupBudget => {
  const admitted = createLru<string, true>(MESSAGES_KEPT)
  const ofAll = createFairShare(UNKNOWN_OF_ALL, now)
  const ofQuote = createKeyedBuckets(UNKNOWN_OF_QUOTE, QUOTES_KEPT, now)
  const ofClient = createKeyedBuckets(UNKNOWN_OF_CLIENT, CLIENTS_KEPT, now)
  return (quoteId, messageId, client) => {
    const key = `${quoteId} ${messageId}`
    if (admitted.get(key) === true) return true
    if (!ofQuote(quoteId).take() || !ofClient(client).take() || !ofAll(client)) return false
    admitted.set(key, true)
    return true
  }
}
