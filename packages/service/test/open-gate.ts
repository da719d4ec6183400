import { WHOLE_RATE } from '../src/intents/outcomes/fill-rate.ts'
import type { OfferGate } from '../src/intents/outcomes/offer-gate.ts'

/** Shows the offers of every solver, and expects all their orders to be filled. */
export const openGate: OfferGate = {
  isShown: () => true,
  expected: () => ({ fillRate: WHOLE_RATE, fillSeconds: undefined }),
}
