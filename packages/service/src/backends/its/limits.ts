import { MAX_BASE_UNITS, mulDivDown, mulDivUp } from '../../core/amount.ts'
import { powerOfTen } from '../../core/decimal.ts'

/**
 * The limits of a transfer: decimals of both tokens, and the most that each side can move now (base units, null for no
 * limit).
 */
export type TransferLimits = {
  readonly fromDecimals: number
  readonly toDecimals: number
  /** Bits of the largest amount that the hub forwards to the destination. */
  readonly maxUintBits: number
  readonly maxSend: bigint | null
  readonly maxReceive: bigint | null
}

/** A closed range of base units. */
export type Range = { readonly minimum: bigint; readonly maximum: bigint }

const factors = (fromDecimals: number, toDecimals: number): readonly [bigint, bigint] => {
  const factor = powerOfTen(Math.abs(toDecimals - fromDecimals))
  return toDecimals >= fromDecimals ? [factor, 1n] : [1n, factor]
}

/** The output for an input, as the hub scales it: rounded down. */
export const outputOf = (input: bigint, fromDecimals: number, toDecimals: number): bigint =>
  mulDivDown(input, ...factors(fromDecimals, toDecimals))

/** The smallest input that yields at least `output`. */
export const inputFor = (output: bigint, fromDecimals: number, toDecimals: number): bigint => {
  const [numerator, denominator] = factors(fromDecimals, toDecimals)
  return mulDivUp(output, denominator, numerator)
}

/** The part of an input lost to the hub's rounding, in base units of the source token. */
export const dustOf = (input: bigint, fromDecimals: number, toDecimals: number): bigint =>
  toDecimals >= fromDecimals ? 0n : input % powerOfTen(fromDecimals - toDecimals)

/**
 * How much more may flow in one direction in the current six hours, in base units; null for no limit, 0 if nothing may.
 * Source: FlowLimit.sol, `_addFlow`.
 */
export const flowRoom = (limit: bigint, flowAlong: bigint, flowAgainst: bigint): bigint | null => {
  if (limit === 0n) return null
  const net = flowAlong - flowAgainst
  if (net > limit || -net > limit) return 0n
  const room = limit - net
  return room < limit ? room : limit
}

const least = (...values: readonly (bigint | null)[]): bigint =>
  values.reduce<bigint>(
    (smallest, value) => (value !== null && value < smallest ? value : smallest),
    MAX_BASE_UNITS,
  )

/** The inputs that can be delivered, in base units of the source token; undefined if none. */
export const inputRange = (limits: TransferLimits): Range | undefined => {
  const { fromDecimals, toDecimals } = limits
  const largestOutput = least(limits.maxReceive, 2n ** BigInt(limits.maxUintBits) - 1n)
  const [numerator, denominator] = factors(fromDecimals, toDecimals)
  const fitting = ((largestOutput + 1n) * denominator - 1n) / numerator
  const maximum = least(limits.maxSend, fitting)
  const minimum = inputFor(1n, fromDecimals, toDecimals)
  return maximum < minimum ? undefined : { minimum, maximum }
}

/** The outputs that can be requested, in base units of the destination token, for a range of inputs. */
export const outputRange = (limits: TransferLimits, inputs: Range): Range => ({
  minimum: 1n,
  maximum: outputOf(inputs.maximum, limits.fromDecimals, limits.toDecimals),
})
