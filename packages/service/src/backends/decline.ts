import { baseUnits, MAX_BASE_UNITS } from '../core/amount.ts'
import type { Decline, UnpayableReason } from '../core/offer.ts'

/** A decline because the order cannot be priced or executed at the moment. */
export const unpriced = (reason: string): Decline => ({ declined: 'unpriced', reason })

/** A decline because the pair was never priced. */
export const unserved = (reason: string): Decline => ({ declined: 'unserved', reason })

/** A decline because the recipient cannot receive the output. */
export const unpayable = (why: UnpayableReason): Decline => ({ declined: 'unpayable', ...why })

/**
 * A decline with the smallest and largest amount that can be quoted, in base units of the token the order's amount
 * refers to.
 */
export const outOfRange = (minimum: bigint, maximum: bigint): Decline => ({
  declined: 'out_of_range',
  minimum: baseUnits(minimum),
  maximum: maximum >= MAX_BASE_UNITS ? null : baseUnits(maximum),
})
