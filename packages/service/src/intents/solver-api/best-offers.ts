import type { Instant } from '../../core/instant.ts'
import type { Order } from '../../core/order.ts'
import type { Token } from '../../core/token.ts'
import { type AmountRange, type Ladder, type LadderPrice, priceOn, rangeOf } from './ladder.ts'
import type { Position } from './position.ts'
import type { Means, MeansOf } from './quote-reservations.ts'

/** A solver that may quote: its display name and its signing address in EIP-55. */
export type Solver = { readonly name: string; readonly address: string }

type PricedAsset = { readonly token: Pick<Token, 'chainId' | 'address'> }

/** The fields of an order that the book reads. */
export type PricedOrder = Pick<Order, 'orderType' | 'amount' | 'sender'> & {
  readonly from: PricedAsset
  readonly to: PricedAsset
}

/** One solver's standing quote for a pair, and the position it pays from. */
export type Standing = {
  readonly solver: Solver
  readonly ladder: Ladder
  readonly position: Position
  readonly until: Instant
}

/** A firm price of one solver in base units; `fee` of the output token is already deducted from `output`. */
export type BookPrice = { readonly solver: Solver } & LadderPrice

/**
 * The book's answer to an order: one or two offers, best first, of different solvers at different prices; or the
 * nearest amounts that are offered now (base units of the side that the amount refers to); or that no solver quotes the
 * pair now, or has ever quoted it.
 */
export type BookAnswer =
  | { readonly offers: readonly [BookPrice, ...BookPrice[]] }
  | ({ readonly declined: 'out_of_range' } & AmountRange)
  | { readonly declined: 'no_quotes' | 'never_quoted' }

/** Whether a solver's offer for so much input is shown. */
export type IsShown = (solver: Solver, order: PricedOrder, input: bigint) => boolean

/**
 * The best offer for an order and the next different one, among the standing quotes that are still valid and whose
 * position can promise the asker the output; those that are not shown only if there are no others.
 */
export const answerFrom = (
  standing: readonly Standing[],
  order: PricedOrder,
  meansOf: MeansOf,
  isShown: IsShown = everyOne,
): BookAnswer => {
  const prices = pricesOf(standing, order, meansOf)
  const shown = prices.filter(({ solver, input }) => isShown(solver, order, input))
  const [best, next] = bestTwo(shown.length > 0 ? shown : prices, order)
  if (best === undefined) return declineOf(standing, order, meansOf)
  return { offers: next === undefined ? [best] : [best, next] }
}

const everyOne: IsShown = () => true

/** The prices of the standing quotes whose position can promise the output. */
const pricesOf = (
  standing: readonly Standing[],
  { orderType, amount }: PricedOrder,
  meansOf: MeansOf,
): readonly BookPrice[] => {
  const prices: BookPrice[] = []
  for (const { ladder, position, solver } of standing) {
    const price = priceOn(ladder, orderType, amount)
    if (price === undefined || !covers(meansOf(position), price)) continue
    const { input, output, fee } = price
    prices.push({ solver, input, output, fee })
  }
  return prices
}

/** The best of the prices, and the best of those that are worse than it. */
const bestTwo = (
  prices: readonly BookPrice[],
  { orderType }: PricedOrder,
): readonly [BookPrice | undefined, BookPrice | undefined] => {
  const isBetter = orderType === 'EXACT_INPUT' ? paysMore : costsLess
  let best: BookPrice | undefined
  let next: BookPrice | undefined
  for (const price of prices) {
    if (best === undefined || isBetter(price, best)) {
      next = best
      best = price
    } else if (isBetter(best, price) && (next === undefined || isBetter(price, next))) {
      next = price
    }
  }
  return [best, next]
}

const covers = ({ held, backed, shared }: Means, { input, output }: LadderPrice): boolean =>
  output <= shared || (input <= held && output <= backed)

type IsBetter = (one: BookPrice, other: BookPrice) => boolean

const paysMore: IsBetter = (one, other) => one.output > other.output
const costsLess: IsBetter = (one, other) => one.input < other.input

/** The range of amounts that a standing quote promises the asker; undefined if it promises nothing. */
const promisedRange = (
  { ladder, position }: Standing,
  { orderType }: PricedOrder,
  meansOf: MeansOf,
): AmountRange | undefined => {
  const { held, backed, shared } = meansOf(position)
  const any = rangeOf(ladder, orderType, shared)
  const last = ladder.at(-1) ?? ladder[0]
  const paid = held >= last.input ? last : priceOn(ladder, 'EXACT_INPUT', held)
  const range = rangeOf(ladder, orderType, paid !== undefined && paid.output < backed ? paid.output : backed)
  if (paid === undefined || range === undefined) return any
  const maximum = orderType === 'EXACT_INPUT' && held < range.maximum ? paid.input : range.maximum
  return any !== undefined && any.maximum > maximum ? any : { minimum: range.minimum, maximum }
}

/** The bounds of the offers below the amount; if all are above it, the bounds of all offers. */
const declineOf = (standing: readonly Standing[], order: PricedOrder, meansOf: MeansOf): BookAnswer => {
  const all = standing.flatMap((one) => promisedRange(one, order, meansOf) ?? [])
  const below = all.filter(({ maximum }) => maximum < order.amount)
  const ranges = below.length > 0 ? below : all
  const [first] = ranges
  if (first === undefined) return { declined: 'no_quotes' }
  let { minimum, maximum } = first
  for (const range of ranges) {
    if (range.minimum < minimum) minimum = range.minimum
    if (range.maximum > maximum) maximum = range.maximum
  }
  return { declined: 'out_of_range', minimum, maximum }
}
