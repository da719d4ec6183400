import { baseUnits, MAX_BASE_UNITS } from '../core/amount.ts'
import type { Decline } from '../core/offer.ts'

/** A refusal because something cannot be priced or moved at the moment. */
export const unpriced = (reason: string): Decline => ({ declined: 'unpriced', reason })

/** A refusal with the smallest and largest amount that quotes, base units of the token the order counts in. */
export const outOfRange = (minimum: bigint, maximum: bigint): Decline => ({
  declined: 'out_of_range',
  minimum: baseUnits(minimum),
  maximum: maximum >= MAX_BASE_UNITS ? null : baseUnits(maximum),
})
