import { type BaseUnits, baseUnits, mulDivDown } from './amount.ts'

/** A tolerance in basis points as an exact fraction, within [0, 10000]. */
export type Slippage = { readonly numerator: bigint; readonly denominator: bigint }

/** Applied when a request names no tolerance: 1 %. */
export const DEFAULT_SLIPPAGE: Slippage = { numerator: 100n, denominator: 1n }

const ZERO: Slippage = { numerator: 0n, denominator: 1n }
const WHOLE: Slippage = { numerator: 10_000n, denominator: 1n }

/**
 * Converts any JSON number to a tolerance: below 0 counts as 0, above 10000 as 10000, fractions of a basis point are
 * exact as written in decimal. Never throws. Source: interface "Slippage rules".
 */
export const toSlippage = (bps: number): Slippage => {
  if (!(bps > 0)) return ZERO
  if (bps >= 10_000) return WHOLE
  const [mantissa = '0', exponent = '0'] = bps.toString().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) }
}

/** `amount * (1 - tolerance / 10000)` in base units, rounded down. Source: interface "Slippage rules" 1. */
export const minimumAfterSlippage = (amount: BaseUnits, slippage: Slippage): BaseUnits => {
  const whole = 10_000n * slippage.denominator
  return baseUnits(mulDivDown(amount, whole - slippage.numerator, whole))
}
