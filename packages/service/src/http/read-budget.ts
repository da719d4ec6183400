import type { Instant } from '../core/instant.ts'
import { createFairShare, type FairShareSize } from '../lib/fair-share.ts'
import { tooManyRequests } from './rate-limit.ts'

/**
 * Bounds the stored transfers that strangers have read: each costs about a tenth of a millisecond of the thread that stores
 * quotes as well, so pages of a hundred would delay them long before a client had its 500 requests.
 */
export type ReadBudget = {
  /** Throws RATE_LIMITED if the client has had its share of what may be read at present. */
  readonly expectLeft: (client: string, transfers: number) => void
}

const TRANSFERS_OF_ONE = 10
const WINDOW_MS = 1_000
/** 2,000 transfers a second for all clients; half of them at once for one that is alone. */
const READS_OF_ALL: FairShareSize = { most: 200, windowMs: WINDOW_MS }

/** Creates a budget; `now` in milliseconds. */
export const createReadBudget = (now: () => Instant): ReadBudget => {
  const share = createFairShare(READS_OF_ALL, now)
  return {
    expectLeft: (client, transfers) => {
      for (let taken = 0; taken < transfers; taken += TRANSFERS_OF_ONE)
        if (!share(client)) throw tooManyRequests('too many stored transfers are asked for', WINDOW_MS)
    },
  }
}
