import type { EndedSolverOrder } from '../../core/solver-order.ts'

/** A rate in millionths. */
export const WHOLE_RATE = 1_000_000

/** The orders that the rate of a newcomer counts for. */
const PRIOR_ORDERS = 2
/** The largest part of the weight that one depositor's orders have. */
const MOST_OF_ONE_DEPOSITOR = 0.05
/** Orders per depositor beyond which further ones add no weight. */
const ORDERS_OF_ONE_DEPOSITOR = 2

/** The part of an order that was missed. */
const MISSED = { filled: 0, late: 0.5, declined: 1, faded: 1, uncounted: 0 } as const satisfies Record<
  EndedSolverOrder['outcome'],
  number
>

/** The orders of one depositor, and their inputs together. */
type OfDepositor<Order> = { readonly orders: readonly Order[]; readonly input: number }

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const byDepositor = <Order extends EndedSolverOrder>(
  orders: readonly Order[],
): readonly OfDepositor<Order>[] => {
  const groups = Map.groupBy(orders, ({ depositor }) => depositor.toLowerCase())
  return [...groups.values()].map((group) => ({
    orders: group,
    input: sumOf(group.map(({ input }) => Number(input))),
  }))
}

/** The part of one depositor's inputs that was missed. */
const missedPart = ({ orders, input }: OfDepositor<EndedSolverOrder>): number =>
  sumOf(orders.map((order) => MISSED[order.outcome] * (Number(order.input) / input)))

/** The weight above which a depositor's orders would be more than 5 % of all; the median weight where all would be. */
const mostWeight = (weights: readonly number[]): number => {
  const falling = weights.toSorted((one, other) => other - one)
  for (const [capped, next] of falling.entries()) {
    const others = 1 - capped * MOST_OF_ONE_DEPOSITOR
    const most = (MOST_OF_ONE_DEPOSITOR * sumOf(falling.slice(capped))) / others
    if (others > 0 && most >= next) return most
  }
  return medianOf(weights) ?? 0
}

/**
 * The smoothed rate at which a solver fills the counted orders of one pair, in millionths rounded down: each order
 * weighs as much as its input, one depositor's orders at most 5 % of all, and `prior` as much as two orders.
 */
export const fillRateOf = (orders: readonly EndedSolverOrder[], prior: number): number => {
  const depositors = byDepositor(orders)
  const most = mostWeight(depositors.map(({ input }) => input))
  const total = sumOf(depositors.map(({ input }) => Math.min(input, most)))
  const counted = Math.min(orders.length, ORDERS_OF_ONE_DEPOSITOR * depositors.length)
  let weight = PRIOR_ORDERS
  let missed = PRIOR_ORDERS * (1 - prior / WHOLE_RATE)
  for (const depositor of depositors) {
    const part = counted * Math.min(Math.min(depositor.input, most) / total, MOST_OF_ONE_DEPOSITOR)
    weight += part
    missed += part * missedPart(depositor)
  }
  return Math.floor(WHOLE_RATE * (1 - missed / weight))
}

/** The rate of a solver without orders on a pair: the median of the others' rates, the upper one of two. */
export const newcomerRate = (rates: readonly number[]): number => medianOf(rates) ?? WHOLE_RATE

/** The median, the upper one of two; undefined of nothing. */
export const medianOf = <Value extends number | bigint>(values: readonly Value[]): Value | undefined =>
  values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))[Math.floor(values.length / 2)]

/** The median of the seconds that fills took, weighted as in the rate; undefined without fills. */
export const fillSecondsOf = (orders: readonly EndedSolverOrder[]): number | undefined => {
  const fills = orders.flatMap(({ fillSeconds, ...order }) =>
    fillSeconds === undefined ? [] : [{ ...order, fillSeconds }],
  )
  const depositors = byDepositor(fills)
  const most = mostWeight(depositors.map(({ input }) => input))
  const weighted = depositors.flatMap(({ orders: ofDepositor, input: sum }) =>
    ofDepositor.map(({ input, fillSeconds }) => ({
      seconds: fillSeconds,
      weight: Number(input) * Math.min(1, most / sum),
    })),
  )
  const half = sumOf(weighted.map(({ weight }) => weight)) / 2
  let below = 0
  return weighted
    .toSorted((one, other) => one.seconds - other.seconds)
    .find(({ weight }) => {
      below += weight
      return below > half
    })?.seconds
}
