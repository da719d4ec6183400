import type { OrderType } from '@openrfq/sdk'
import type { Offer } from './offer.ts'
import type { SelectionReason } from './ranked-quote.ts'
import { type PricedAsset, type PriceOf, type Worth, worthOf } from './worth.ts'

/** What ranking needs besides the offers. */
export type RankingOrder = {
  readonly orderType: OrderType
  readonly from: PricedAsset
  readonly to: PricedAsset
}

/** An offer with its worth. */
export type ValuedOffer = { readonly offer: Offer; readonly worth: Worth }

/** A valued offer at its rank, with the reason. */
export type RankedOffer = ValuedOffer & {
  readonly selectionReason: SelectionReason
  /** Whether a price was missing, so that offers were compared by bare amounts. */
  readonly isUnpriced: boolean
}

const sum = (one: bigint | undefined, other: bigint | undefined): bigint | undefined =>
  one === undefined || other === undefined ? undefined : one + other

const negative = (value: bigint | undefined): bigint | undefined => (value === undefined ? undefined : -value)

/** The costs paid on top of the input. */
const outsideCosts = ({
  offer: { gasFee, userFee },
  worth: { gas, user },
}: ValuedOffer): bigint | undefined =>
  sum(
    gasFee.quoteTreatment === 'outside_quote' ? gas : 0n,
    userFee.quoteTreatment === 'outside_quote' ? user : 0n,
  )

const MILLION = 1_000_000n
/** What an hour without the input costs, in parts of it. */
const HOURS_PER_INPUT = 10_000n
const SECONDS_PER_HOUR = 3_600n

/**
 * The cost that an unfilled order is expected to have: source gas twice, for the lost deposit and for another one, and a
 * hundredth of a percent of the input for each hour until the refund, times the part of orders that is not filled.
 */
const expectedFailureCost = ({ offer: { reliability }, worth }: ValuedOffer): bigint | undefined => {
  if (reliability === undefined) return 0n
  const moved = worth.input ?? worth.output
  if (worth.gas === undefined || moved === undefined) return undefined
  const waiting = (moved * BigInt(reliability.refundSeconds)) / (SECONDS_PER_HOUR * HOURS_PER_INPUT)
  return ((MILLION - BigInt(reliability.fillRate)) * (2n * worth.gas + waiting)) / MILLION
}

/** What the user gains or pays in USD, less the costs outside the quote: higher is better. Undefined if a price is missing. */
const netValue = (orderType: OrderType, valued: ValuedOffer): bigint | undefined => {
  const { input, output } = valued.worth
  const costs = sum(outsideCosts(valued), expectedFailureCost(valued))
  const moved = orderType === 'EXACT_INPUT' ? output : negative(input)
  return costs === undefined || moved === undefined ? undefined : moved - costs
}

type Scores = { readonly scores: readonly bigint[]; readonly isUnpriced: boolean }

/** One comparable number per offer: net value if every price is known, else the bare amounts. */
const scoresOf = (orderType: OrderType, offers: readonly ValuedOffer[]): Scores => {
  const scores = offers.map((valued) => netValue(orderType, valued))
  if (scores.every((value) => value !== undefined)) return { scores, isUnpriced: false }
  const amounts = offers.map(({ offer }) => (orderType === 'EXACT_INPUT' ? offer.output : -offer.input))
  return { scores: amounts, isUnpriced: true }
}

const isLeastOf = <Value extends bigint | number>(value: Value, all: readonly Value[]): boolean =>
  all.filter((other) => other <= value).length === 1

/** An offer with its score and, if every price is known, the value of its fees. */
type Scored = ValuedOffer & { readonly score: bigint; readonly fees: bigint | undefined }

const alternativeReason = ({ offer, fees }: Scored, all: readonly Scored[]): SelectionReason => {
  const times = all.map((other) => other.offer.estimatedTimeSeconds)
  if (isLeastOf(offer.estimatedTimeSeconds, times)) return 'fastest'
  const known = all.map((other) => other.fees).filter((value) => value !== undefined)
  if (fees !== undefined && known.length === all.length && isLeastOf(fees, known)) return 'lowest_fee'
  return 'alternative'
}

const isLastResort = ({ offer }: ValuedOffer): boolean => offer.reliability?.isLastResort === true

const byPreference = (one: Scored, other: Scored): number => {
  if (isLastResort(one) !== isLastResort(other)) return isLastResort(one) ? 1 : -1
  if (one.score !== other.score) return one.score > other.score ? -1 : 1
  return one.offer.estimatedTimeSeconds - other.offer.estimatedTimeSeconds
}

/** Whether no other offer has a higher output or a lower input. */
const hasBestAmount = (orderType: OrderType, { offer }: ValuedOffer, all: readonly ValuedOffer[]): boolean =>
  orderType === 'EXACT_INPUT'
    ? all.every((other) => other.offer.output <= offer.output)
    : all.every((other) => other.offer.input >= offer.input)

/**
 * Ranks the offers of one order, best first: EXACT_INPUT by output minus the costs on top, EXACT_OUTPUT by least total
 * cost, both in USD and with the expected cost of a failure, or by bare base units if a price is missing. Last resorts follow
 * all others. Ties go to the shorter time, then to
 * the offer given first. The first is `highest_output` or `lowest_input` where that is true, else `best_value`; the others
 * name what they alone are best at.
 */
export const rank = (
  order: RankingOrder,
  offers: readonly Offer[],
  priceOf: PriceOf,
): readonly RankedOffer[] => {
  const valued = offers.map((offer): ValuedOffer => ({ offer, worth: worthOf(order, offer, priceOf) }))
  const best = order.orderType === 'EXACT_INPUT' ? 'highest_output' : 'lowest_input'
  const [only, ...others] = valued
  if (only !== undefined && others.length === 0)
    return [{ ...only, selectionReason: best, isUnpriced: false }]
  const { scores, isUnpriced } = scoresOf(order.orderType, valued)
  const scored = valued.map(({ offer, worth }, index): Scored => {
    return { offer, worth, score: scores[index] ?? 0n, fees: sum(worth.gas, worth.user) }
  })
  scored.sort(byPreference)
  const [first] = scored
  const isBest = first !== undefined && hasBestAmount(order.orderType, first, scored)
  const firstReason = isBest ? best : 'best_value'
  return scored.map((one, position) => ({
    offer: one.offer,
    worth: one.worth,
    selectionReason: position === 0 ? firstReason : alternativeReason(one, scored),
    isUnpriced,
  }))
}

/**
 * The share of the user's spending (input and costs on top) that the output is not worth, in basis points rounded down;
 * undefined if a price is missing, 0 if the output is worth more.
 */
export const lossBps = (valued: ValuedOffer): number | undefined => {
  const { input, output } = valued.worth
  const spent = sum(input, outsideCosts(valued))
  if (output === undefined || spent === undefined || spent === 0n) return undefined
  return output >= spent ? 0 : Number(((spent - output) * 10_000n) / spent)
}
