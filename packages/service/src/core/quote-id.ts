/** An id's digits in base 32, 5 bits each. */
const DIGITS = 26
const BASE = 32
/** The first digits are the time; the rest, in two halves of 40 bits, are random. */
const TIME_DIGITS = 10
const HALF_DIGITS = 8
const HALF_BITS = 40
const RANDOM_BITS = 80
const TWENTY_BITS = 2 ** 20
const FORTY_BITS = 2 ** HALF_BITS
/** Margin above the random part, so that the ids of one answer can count up without changing the time. */
const MAX_QUOTES_PER_ANSWER = 16
const MAX_RANDOM = (1n << BigInt(RANDOM_BITS)) - BigInt(MAX_QUOTES_PER_ANSWER)

/** `quote_` and 26 characters: 48 bits of milliseconds, 80 random bits; ordered by time, not guessable. */
export type QuoteId = `quote_${string}`

/** The form of a quote id in a lookup; any other well-formed text is simply unknown. */
const QUOTE_ID_PATTERN = /^quote_[0-7][0-9a-v]{25}$/

/** Narrows text to the form of a quote id this service could have issued. */
export const isQuoteId = (text: string): text is QuoteId => QUOTE_ID_PATTERN.test(text)

/** JavaScript's base 32 uses the digits of base32hex, so text and number sort alike. */
const PAIRS = Array.from({ length: BASE * BASE }, (_, value) => value.toString(BASE).padStart(2, '0'))
const pairOf = (value: number): string => PAIRS[value] ?? ''

/** Below 2^20, as a pair of pairs. */
const fourDigits = (value: number): string => pairOf(value >> 10) + pairOf(value & 1023)
/** Below 2^40. */
const eightDigits = (value: number): string => {
  const high = Math.floor(value / TWENTY_BITS)
  return fourDigits(high) + fourDigits(value - high * TWENTY_BITS)
}
/** Below 2^50. */
const tenDigits = (value: number): string => {
  const high = Math.floor(value / FORTY_BITS)
  return pairOf(high) + eightDigits(value - high * FORTY_BITS)
}

const encode = (value: bigint): QuoteId => `quote_${value.toString(BASE).padStart(DIGITS, '0')}`

/**
 * The first id of an answer; `now` in milliseconds. `random` holds 80 bits from a secure source. Encodes two digits at
 * a time, because every request needs one.
 */
export const firstQuoteId = (now: number, random: bigint): QuoteId => {
  const start = random > MAX_RANDOM ? MAX_RANDOM : random
  const [high, low] = [Number(start >> BigInt(HALF_BITS)), Number(BigInt.asUintN(HALF_BITS, start))]
  return `quote_${tenDigits(now)}${eightDigits(high)}${eightDigits(low)}`
}

/**
 * The ids of one answer: consecutive from its first, so that one stored row finds them all. Increments the last digit
 * and encodes the whole number only on overflow.
 */
export const quoteIds = (first: QuoteId, count: number): readonly QuoteId[] => {
  if (count > MAX_QUOTES_PER_ANSWER) throw new RangeError(`too many quotes in one answer: ${count}`)
  const head = first.slice(0, -1)
  const digit = Number.parseInt(first.slice(-1), BASE)
  const ids: QuoteId[] = []
  for (let index = 0; index < count; index += 1) {
    const isLong = digit + index >= BASE
    // CAST: an id with another last digit is an id.
    const counted = isLong
      ? encode(quoteNumber(first) + BigInt(index))
      : (`${head}${(digit + index).toString(BASE)}` as QuoteId)
    ids.push(counted)
  }
  return ids
}

/** The 128-bit number encoded in an id. */
export const quoteNumber = (quoteId: QuoteId): bigint => {
  const digits = quoteId.slice(-DIGITS)
  const numberIn = (start: number, end?: number): bigint =>
    BigInt(Number.parseInt(digits.slice(start, end), BASE))
  const random = (numberIn(TIME_DIGITS, -HALF_DIGITS) << BigInt(HALF_BITS)) | numberIn(-HALF_DIGITS)
  return (numberIn(0, TIME_DIGITS) << BigInt(RANDOM_BITS)) | random
}

/** Every id that an answer may have contained, by the number of its first id. */
export const idsOfAnswer = (first: bigint): readonly QuoteId[] =>
  quoteIds(encode(first), MAX_QUOTES_PER_ANSWER).filter(isQuoteId)
