import type { Offer } from './offer.ts'
import type { ValuedOffer } from './ranking.ts'

const BPS = 10_000n

/** An offer's amounts without the backend's own fee, and the part in bps that its price impact leaves of the output. */
const undiscounted = ({ input, output, userFee, metadata }: Offer) => {
  const { amount, paymentMethod, quoteTreatment } = userFee
  const included = (method: typeof paymentMethod): bigint =>
    quoteTreatment === 'included_in_quote' && paymentMethod === method ? amount : 0n
  const impact = metadata['priceImpactBps']
  return {
    input: input - included('input_token'),
    output: output + included('output_token'),
    left: typeof impact === 'number' && impact > 0 && impact < 10_000 ? BPS - BigInt(impact) : BPS,
  }
}

const beatsReference = ({ input, output }: ValuedOffer['worth'], factor: bigint): boolean | undefined =>
  input === undefined || output === undefined ? undefined : output * BPS > input * factor

const beats = (offer: Offer, other: Offer, factor: bigint): boolean => {
  const { input, output, left } = undiscounted(other)
  return offer.output * input * left > output * offer.input * factor
}

/**
 * Whether an offer is better than the reference prices and than the offers of all other backends by more than the bound, in
 * bps of the output for one input. Without a reference price the other backends decide; without both it is not. Fees and
 * price impact of the other backends count as part of their output, so that a solver without them is no suspect.
 */
export const isTooGood = (valued: ValuedOffer, all: readonly ValuedOffer[], boundBps: number): boolean => {
  const factor = BPS + BigInt(boundBps)
  const byReference = beatsReference(valued.worth, factor)
  if (byReference === false) return false
  const { offer } = valued
  const others = all.filter((other) => other.offer.backend !== offer.backend)
  if (others.length === 0) return byReference === true
  return others.every((other) => beats(offer, other.offer, factor))
}
