import type { OrderType } from '@openrfq/sdk'
import { type BaseUnits, baseUnits, mulDivDown, mulDivUp } from '../../core/amount.ts'
import type { Rung } from './protocol.ts'

/** Rungs strictly ascending in input and output, at least one. */
export type Ladder = readonly [Rung, ...Rung[]]

/** A ladder's price for an amount, in base units of each side; `fee` is in units of the output and already deducted. */
export type LadderPrice = { readonly input: BaseUnits; readonly output: BaseUnits; readonly fee: BaseUnits }

/** The smallest and largest amount that a ladder prices, in base units of the side that the amount refers to. */
export type AmountRange = { readonly minimum: BaseUnits; readonly maximum: BaseUnits }

/** The segment of an amount: the last rung at or below it, and the next; undefined outside the ladder. */
const segmentOf = (
  ladder: Ladder,
  side: 'input' | 'output',
  amount: bigint,
): readonly [Rung, Rung] | undefined => {
  let low = 0
  let high = ladder.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const rung = ladder[middle]
    if (rung !== undefined && rung[side] <= amount) low = middle
    else high = middle - 1
  }
  const lower = ladder[low]
  if (lower === undefined || amount < lower[side]) return undefined
  if (amount === lower[side]) return [lower, lower]
  const upper = ladder[low + 1]
  return upper === undefined ? undefined : [lower, upper]
}

/** The fee at an input of a segment, rounded down: for display, never charged on top. */
const feeAt = (lower: Rung, upper: Rung, input: bigint): BaseUnits => {
  const rise = (upper.fee - lower.fee) * (input - lower.input)
  const run = upper.input - lower.input
  const step = rise >= 0n ? rise / run : -((-rise + run - 1n) / run)
  return baseUnits(lower.fee + step)
}

/**
 * Prices an amount: exact on a rung, linear between two, undefined outside. EXACT_INPUT rounds the output down,
 * EXACT_OUTPUT rounds the input up, so a price between rungs never exceeds the line in the user's favour.
 */
export const priceOn = (ladder: Ladder, orderType: OrderType, amount: bigint): LadderPrice | undefined => {
  const segment = segmentOf(ladder, orderType === 'EXACT_INPUT' ? 'input' : 'output', amount)
  if (segment === undefined) return undefined
  const [lower, upper] = segment
  if (lower === upper) return lower
  const inputs = upper.input - lower.input
  const outputs = upper.output - lower.output
  if (orderType === 'EXACT_INPUT') {
    const output = lower.output + mulDivDown(amount - lower.input, outputs, inputs)
    return { input: baseUnits(amount), output: baseUnits(output), fee: feeAt(lower, upper, amount) }
  }
  const input = lower.input + mulDivUp(amount - lower.output, inputs, outputs)
  return { input: baseUnits(input), output: baseUnits(amount), fee: feeAt(lower, upper, input) }
}

/**
 * The range of amounts that a ladder prices with an output of at most `available`; both ends have a price. Undefined if
 * not even the first rung can be paid.
 */
export const rangeOf = (ladder: Ladder, orderType: OrderType, available: bigint): AmountRange | undefined => {
  const [first] = ladder
  const last = ladder.at(-1) ?? first
  if (available < first.output) return undefined
  if (orderType === 'EXACT_OUTPUT') {
    const maximum = available < last.output ? available : last.output
    return { minimum: first.output, maximum: baseUnits(maximum) }
  }
  if (available >= last.output) return { minimum: first.input, maximum: last.input }
  return { minimum: first.input, maximum: baseUnits(largestInput(ladder, available)) }
}

/** The largest input whose output, rounded down, is at most `available`, which is below the last rung. */
const largestInput = (ladder: Ladder, available: bigint): bigint => {
  const [first] = ladder
  const above = ladder.findIndex(({ output }) => output > available)
  const upper = ladder[above] ?? first
  const lower = ladder[above - 1] ?? first
  // The output exceeds `available` from the first input whose unrounded output reaches `available + 1`.
  const excess = mulDivUp(
    available + 1n - lower.output,
    upper.input - lower.input,
    upper.output - lower.output,
  )
  return lower.input + excess - 1n
}
