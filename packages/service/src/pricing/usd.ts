import { parseUnitsFloor, powerOfTen } from '../core/decimal.ts'
import { USD_DIGITS, type UsdPrice } from './price-source.ts'

const SHOWN_DIGITS = 6
const LEAST_DIGITS = 2

/** Parses a decimal price as USD per whole token scaled by 10^18, rounded down; undefined if it is not a decimal. */
export const usdPrice = (text: string): UsdPrice | undefined => parseUnitsFloor(text, USD_DIGITS)

/**
 * Formats USD scaled by 10^`scaleDigits`, at least 6, as decimal text for display: 2 to 6 fraction digits, rounded
 * down.
 */
export const usdText = (usd: bigint, scaleDigits: number): string => {
  const shown = usd / powerOfTen(scaleDigits - SHOWN_DIGITS)
  const digits = shown.toString().padStart(SHOWN_DIGITS + 1, '0')
  const point = digits.length - SHOWN_DIGITS
  let end = digits.length
  while (end > point + LEAST_DIGITS && digits.endsWith('0', end)) end -= 1
  return `${digits.slice(0, point)}.${digits.slice(point, end)}`
}
