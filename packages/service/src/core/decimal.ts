const DECIMAL = /^(\d{1,78})(?:\.(\d{1,78}))?(?:[eE]([+-]?\d{1,2}))?$/

const MAX_KEPT_POWER = 64
const POWERS = Array.from({ length: MAX_KEPT_POWER + 1 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10 to a non-negative integer exponent. Throws RangeError for any other. */
export const powerOfTen = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent)

type Scaled = { readonly numerator: bigint; readonly denominator: bigint }

const scale = (text: string, fractionDigits: number): Scaled | undefined => {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, whole = '0', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const shift = fractionDigits - fraction.length + Number(exponent)
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) }
}

/** Parses non-negative decimal text (also `1.5e-7`) times 10^fractionDigits, rounded down; undefined for other text. */
export const parseUnitsFloor = (text: string, fractionDigits: number): bigint | undefined => {
  const scaled = scale(text, fractionDigits)
  return scaled === undefined ? undefined : scaled.numerator / scaled.denominator
}

/** Parses non-negative decimal text (also `1.5e-7`) times 10^fractionDigits, rounded up; undefined for other text. */
export const parseUnitsCeil = (text: string, fractionDigits: number): bigint | undefined => {
  const scaled = scale(text, fractionDigits)
  return scaled === undefined ? undefined : (scaled.numerator + scaled.denominator - 1n) / scaled.denominator
}
