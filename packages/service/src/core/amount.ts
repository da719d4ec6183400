import { Amount } from '@openrfq/sdk'
import { z } from 'zod'

/** A non-negative amount in a token's base (smallest) units; money inside the service is always this, never `number`. */
export type BaseUnits = bigint & { readonly __brand: 'BaseUnits' }

/** 2^256 - 1, the largest amount any supported chain can express and the unlimited ERC-20 allowance. */
export const MAX_BASE_UNITS = ((1n << 256n) - 1n) as BaseUnits

/**
 * Brands a bigint as base units. Throws RangeError if it is negative or above 2^256 - 1: that is a bug, never the
 * client's fault.
 */
export const baseUnits = (value: bigint): BaseUnits => {
  if (value < 0n || value > MAX_BASE_UNITS) throw new RangeError(`not an amount of base units: ${value}`)
  return value as BaseUnits
}

/** The text of a positive amount: decimal digits without sign or leading zero, at most 78. Source: interface "Amounts". */
export const PositiveAmountText = z
  .string()
  .regex(/^[1-9][0-9]{0,77}$/, 'expected a positive integer in base units, as a decimal string')

const inBaseUnits = (least: bigint) =>
  z.custom<BaseUnits>((value) => typeof value === 'bigint' && value >= least && value <= MAX_BASE_UNITS, {
    error: 'expected an amount of at most 2^256 - 1',
  })

// CAST: the check of the decoded side follows.
const toBaseUnits = (text: string): BaseUnits => BigInt(text) as BaseUnits
const toText = (amount: BaseUnits): string => amount.toString()

/** A positive amount: text on the wire, `BaseUnits` inside. */
export const PositiveAmount = z.codec(PositiveAmountText, inBaseUnits(1n), {
  decode: toBaseUnits,
  encode: toText,
})

/** An amount that may be zero: text on the wire, `BaseUnits` inside. */
export const UnsignedAmount = z.codec(Amount, inBaseUnits(0n), { decode: toBaseUnits, encode: toText })

/** `value * numerator / denominator`, rounded down. The denominator must be positive. */
export const mulDivDown = (value: bigint, numerator: bigint, denominator: bigint): bigint =>
  (value * numerator) / denominator

/** `value * numerator / denominator`, rounded up. All operands non-negative, the denominator positive. */
export const mulDivUp = (value: bigint, numerator: bigint, denominator: bigint): bigint =>
  (value * numerator + denominator - 1n) / denominator
