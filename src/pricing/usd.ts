import { decimalDown, powerOfTen } from '../core/decimal.ts'
import type { UsdPrice } from './price-source.ts'

const PRICE_DIGITS = 18
const SHOWN_DIGITS = 6
const LEAST_DIGITS = 2

/** A price in decimal text as USD per whole token scaled by 10^18, rounded down; undefined when it is no decimal. */
export const usdPrice = (text: string): UsdPrice | undefined => decimalDown(text, PRICE_DIGITS)

/**
 * What `amount` base units of a token are worth, as decimal text for display: 2 to 6 fraction digits, rounded down.
 */
export const usdText = (amount: bigint, decimals: number, price: UsdPrice): string => {
  const shown = (amount * price) / powerOfTen(PRICE_DIGITS - SHOWN_DIGITS + decimals)
  const digits = shown.toString().padStart(SHOWN_DIGITS + 1, '0')
  const point = digits.length - SHOWN_DIGITS
  let end = digits.length
  while (end > point + LEAST_DIGITS && digits.endsWith('0', end)) end -= 1
  return `${digits.slice(0, point)}.${digits.slice(point, end)}`
}
