import { mulDivDown } from '../core/amount.ts'
import { decimalDown } from '../core/decimal.ts'
import { USD_SCALE, type UsdPrice } from './price-source.ts'

const PRICE_DIGITS = 18
const SHOWN_DIGITS = 6
const SHOWN_SCALE = 10n ** BigInt(SHOWN_DIGITS)

/** A price in decimal text as USD per whole token scaled by 10^18, rounded down; undefined when it is no decimal. */
export const usdPrice = (text: string): UsdPrice | undefined => decimalDown(text, PRICE_DIGITS)

/**
 * What `amount` base units of a token are worth, as decimal text for display: 2 to 6 fraction digits, rounded down.
 */
export const usdText = (amount: bigint, decimals: number, price: UsdPrice): string => {
  const shown = mulDivDown(amount * price, SHOWN_SCALE, USD_SCALE * 10n ** BigInt(decimals))
  const digits = shown.toString().padStart(SHOWN_DIGITS + 1, '0')
  const whole = digits.slice(0, -SHOWN_DIGITS)
  const fraction = digits.slice(-SHOWN_DIGITS).replace(/0{1,4}$/, '')
  return `${whole}.${fraction}`
}
