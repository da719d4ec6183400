import type { Instant } from './instant.ts'

/** An id's digits in base 32, 5 bits each; the first ones are the time. */
const DIGITS = 26
const TIME_DIGITS = 10
const BASE = 32
const RANDOM_BITS = 80n
const MAX_QUOTES_PER_ANSWER = 16
/** Leaves room above the random part, so that the ids of one answer can count up without changing the time. */
const MAX_RANDOM = (1n << RANDOM_BITS) - BigInt(MAX_QUOTES_PER_ANSWER)

/**
 * `quote_` and 26 characters: 48 bits of milliseconds, 80 random bits; ordered by time. The ids of one answer are
 * consecutive: one id tells the others of its answer, but no id of another answer can be guessed.
 */
export type QuoteId = `quote_${string}`

/** The form of a quote id in a lookup; any other well-formed text is simply unknown. */
const QUOTE_ID_PATTERN = /^quote_[0-7][0-9a-v]{25}$/

/** Narrows text to the form of a quote id this service could have issued. */
export const isQuoteId = (text: string): text is QuoteId => QUOTE_ID_PATTERN.test(text)

/** JavaScript's base 32 uses the digits of base32hex, so text and number sort alike. */
const encode = (value: bigint): QuoteId => `quote_${value.toString(BASE).padStart(DIGITS, '0')}`

/** The first id of an answer; `now` in milliseconds. `random` holds 80 bits from a secure source. */
export const firstQuoteId = (now: number, random: bigint): QuoteId =>
  encode((BigInt(now) << RANDOM_BITS) | (random > MAX_RANDOM ? MAX_RANDOM : random))

/** The lowest id of an instant: all earlier quotes have lower ones. */
export const lowestQuoteId = (instant: Instant): QuoteId => firstQuoteId(Math.max(0, Math.floor(instant)), 0n)

/** The ids of one answer, at most 16: consecutive from its first, so that one stored row finds them all. */
export const quoteIds = (first: QuoteId, count: number): readonly QuoteId[] => {
  if (count > MAX_QUOTES_PER_ANSWER) throw new RangeError(`too many quotes in one answer: ${count}`)
  if (count === 1) return [first]
  const start = quoteNumber(first)
  return Array.from({ length: count }, (_, index) => encode(start + BigInt(index)))
}

/** The 128-bit number encoded in an id. */
export const quoteNumber = (quoteId: QuoteId): bigint => {
  const digits = quoteId.slice(-DIGITS)
  // Base 32 in parts of at most 50 bits, which a number holds exactly.
  const partOf = (from: number, to: number): bigint => BigInt(Number.parseInt(digits.slice(from, to), BASE))
  const middle = TIME_DIGITS + (DIGITS - TIME_DIGITS) / 2
  return (
    (partOf(0, TIME_DIGITS) << RANDOM_BITS) |
    (partOf(TIME_DIGITS, middle) << (RANDOM_BITS / 2n)) |
    partOf(middle, DIGITS)
  )
}

/** Every id that an answer may have contained, by the number of its first id. */
export const idsOfAnswer = (first: bigint): readonly QuoteId[] =>
  quoteIds(encode(first), MAX_QUOTES_PER_ANSWER).filter(isQuoteId)
