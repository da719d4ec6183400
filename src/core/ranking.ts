import type { SelectionReason } from './answered-quote.ts'
import { BackendType } from './backend-type.ts'
import { powerOfTen } from './decimal.ts'
import type { Offer, OfferedFee } from './offer.ts'
import type { OrderType } from './order.ts'

/** USD per whole token scaled by any one factor, by `tokenKey`; undefined when unknown. */
type PriceOf = (priceKey: string) => bigint | undefined

/** The assets all offers of one order share. `priceKey` is the token's `tokenKey`. */
type RankedAsset = { readonly priceKey: string; readonly decimals: number }

/** What ranking knows besides the offers themselves. */
export type RankingOrder = {
  readonly orderType: OrderType
  readonly from: RankedAsset
  readonly to: RankedAsset
}

/** An offer in its place, with why it has it. */
export type RankedOffer = { readonly offer: Offer; readonly selectionReason: SelectionReason }

/** More decimals than any token has, so that values of all tokens compare as exact integers. */
const VALUE_DECIMALS = 36

/** The value of an amount: base units times price, brought to one scale without rounding. */
const worthOf = (amount: bigint, asset: RankedAsset, priceOf: PriceOf): bigint | undefined => {
  const price = priceOf(asset.priceKey)
  return price === undefined ? undefined : amount * price * powerOfTen(VALUE_DECIMALS - asset.decimals)
}

const outsideFees = (offer: Offer): readonly OfferedFee[] =>
  [offer.gasFee, offer.userFee].filter((fee) => fee.quoteTreatment === 'outside_quote')

const sumOf = (values: readonly (bigint | undefined)[]): bigint | undefined =>
  values.reduce<bigint | undefined>(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0n,
  )

const feesValue = (fees: readonly OfferedFee[], priceOf: PriceOf): bigint | undefined =>
  sumOf(fees.map((fee) => worthOf(fee.amount, fee, priceOf)))

/** What the user is left with after costs on top: higher is better. Undefined when a price is missing. */
const netValue = (order: RankingOrder, offer: Offer, priceOf: PriceOf): bigint | undefined => {
  const costs = feesValue(outsideFees(offer), priceOf)
  const moved =
    order.orderType === 'EXACT_INPUT'
      ? worthOf(offer.output, order.to, priceOf)
      : worthOf(-offer.input, order.from, priceOf)
  return costs === undefined || moved === undefined ? undefined : moved - costs
}

/** One comparable number per offer: net value when every price is known, else the bare amounts. */
const scoresOf = (order: RankingOrder, offers: readonly Offer[], priceOf: PriceOf): readonly bigint[] => {
  const bare = offers.map((offer) => (order.orderType === 'EXACT_INPUT' ? offer.output : -offer.input))
  if (offers.length < 2) return bare
  const values = offers.map((offer) => netValue(order, offer, priceOf))
  return values.every((value) => value !== undefined) ? values : bare
}

const isLeastOf = <Value extends bigint | number>(value: Value, all: readonly Value[]): boolean =>
  all.filter((other) => other <= value).length === 1

/** An offer with what orders it and, where every price is known, the value of its fees. */
type Scored = { readonly offer: Offer; readonly score: bigint; readonly fees: bigint | undefined }

const alternativeReason = ({ offer, fees }: Scored, all: readonly Scored[]): SelectionReason => {
  const times = all.map((other) => other.offer.estimatedTimeSeconds)
  if (isLeastOf(offer.estimatedTimeSeconds, times)) return 'fastest'
  const known = all.map((other) => other.fees).filter((value) => value !== undefined)
  if (fees !== undefined && known.length === all.length && isLeastOf(fees, known)) return 'lowest_fee'
  return 'alternative'
}

/**
 * The offers of one order, best first: EXACT_INPUT by output minus the costs on top of it, EXACT_OUTPUT by least total
 * cost, both in USD, or by bare base units when a price is missing. Ties go to the shorter time, then to the order of
 * `BackendType`. The first is `highest_output` or `lowest_input`; the others name what alone they are best at.
 */
export const rank = (
  order: RankingOrder,
  offers: readonly Offer[],
  priceOf: PriceOf,
): readonly RankedOffer[] => {
  const scores = scoresOf(order, offers, priceOf)
  const scored = offers.map(
    (offer, index): Scored => ({
      offer,
      score: scores[index] ?? 0n,
      fees: offers.length < 2 ? undefined : feesValue([offer.gasFee, offer.userFee], priceOf),
    }),
  )
  scored.sort((one, other) => {
    if (one.score !== other.score) return one.score > other.score ? -1 : 1
    const time = one.offer.estimatedTimeSeconds - other.offer.estimatedTimeSeconds
    if (time !== 0) return time
    return BackendType.options.indexOf(one.offer.backend) - BackendType.options.indexOf(other.offer.backend)
  })
  const best = order.orderType === 'EXACT_INPUT' ? 'highest_output' : 'lowest_input'
  return scored.map((one, position) => ({
    offer: one.offer,
    selectionReason: position === 0 ? best : alternativeReason(one, scored),
  }))
}

/**
 * The part of what the user spends (input and costs on top) that the output is not worth, in basis points rounded
 * down; undefined when a price is missing, 0 when the output is worth more.
 */
export const lossBps = (order: RankingOrder, offer: Offer, priceOf: PriceOf): number | undefined => {
  const output = worthOf(offer.output, order.to, priceOf)
  const spent = sumOf([worthOf(offer.input, order.from, priceOf), feesValue(outsideFees(offer), priceOf)])
  if (output === undefined || spent === undefined || spent === 0n) return undefined
  return output >= spent ? 0 : Number(((spent - output) * 10_000n) / spent)
}
