import type { Decline, Offer } from '../core/offer.ts'

/** The answer of a backend that never has more than one offer. */
export const offeredAlone = (answer: Offer | Decline): readonly [Offer] | Decline =>
  'declined' in answer ? answer : [answer]
