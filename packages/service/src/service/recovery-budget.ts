import { createFairShare, type FairShareSize } from '../lib/fair-share.ts'
import { createKeyedBuckets } from '../lib/keyed-buckets.ts'
import type { BucketSize } from '../lib/token-bucket.ts'

/** Whether a client may have chains and Axelar's indexer read for the recoveries of a transfer. */
export type RecoveryBudget = (client: string) => boolean

/** A page asks every few seconds about one transfer; a read takes several calls of chains and indexer. */
const OF_CLIENT: BucketSize = { burst: 20, perSecond: 2 }
const OF_ALL: FairShareSize = { most: 100, windowMs: 4_000 }
const CLIENTS_KEPT = 10_000

/**
 * Lets through 20 reads at once and two a second from then on for a client, and 100 in four seconds for all clients, of whom
 * none takes more than is free. `now` in milliseconds.
 */
export const createRecoveryBudget = (now: () => number): RecoveryBudget => {
  const ofAll = createFairShare(OF_ALL, now)
  const ofClient = createKeyedBuckets(OF_CLIENT, CLIENTS_KEPT, now)
  return (client) => ofClient(client).take() && ofAll(client)
}
