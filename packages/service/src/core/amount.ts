import { z } from 'zod'

/** A non-negative amount in a token's base (smallest) units; money inside the service is always this, never `number`. */
export type BaseUnits = bigint & { readonly __brand: 'BaseUnits' }

/** 2^256 - 1, the largest amount any supported chain can express and the unlimited ERC-20 allowance. */
export const MAX_BASE_UNITS = ((1n << 256n) - 1n) as BaseUnits

/** The wire form of a positive amount: decimal digits, no sign, no leading zero, at most 78 digits. */
const AMOUNT_PATTERN = /^[1-9][0-9]{0,77}$/

/**
 * Brands a bigint as base units. Throws RangeError if it is negative or above 2^256 - 1: that is a bug, never the
 * client's fault.
 */
export const baseUnits = (value: bigint): BaseUnits => {
  if (value < 0n || value > MAX_BASE_UNITS) throw new RangeError(`not an amount of base units: ${value}`)
  return value as BaseUnits
}

/** Request amounts: a positive decimal string on the wire, `BaseUnits` inside. Source: interface "Amounts". */
export const PositiveAmount = z.codec(
  z.string().regex(AMOUNT_PATTERN, 'expected a positive integer in base units, as a decimal string'),
  z.custom<BaseUnits>((value) => typeof value === 'bigint' && value > 0n && value <= MAX_BASE_UNITS, {
    error: 'expected an amount of at most 2^256 - 1',
  }),
  { decode: (text) => BigInt(text) as BaseUnits, encode: (amount) => amount.toString() },
)

/** `value * numerator / denominator`, rounded down. The denominator must be positive. */
export const mulDivDown = (value: bigint, numerator: bigint, denominator: bigint): bigint =>
  (value * numerator) / denominator

/** `value * numerator / denominator`, rounded up. All operands non-negative, the denominator positive. */
export const mulDivUp = (value: bigint, numerator: bigint, denominator: bigint): bigint =>
  (value * numerator + denominator - 1n) / denominator
