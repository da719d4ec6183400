const RANDOM_BITS = 80n
/** Room left above the random part so that the ids of one answer can count up without touching the time. */
const MAX_QUOTES_PER_ANSWER = 16n

/** `quote_` and 26 characters: 48 bits of milliseconds, 80 random bits; ordered by time, not guessable. */
export type QuoteId = `quote_${string}`

/** What a quote id may look like in a lookup; any other well-formed text is simply unknown. */
const QUOTE_ID_PATTERN = /^quote_[0-7][0-9a-v]{25}$/

/** Narrows text to the form of a quote id this service could have issued. */
export const isQuoteId = (text: string): text is QuoteId => QUOTE_ID_PATTERN.test(text)

/** JavaScript's digits of base 32 are those of base32hex, so text and number have the same order. */
const encode = (value: bigint): QuoteId => `quote_${value.toString(32).padStart(26, '0')}`

/**
 * The ids of one answer: consecutive numbers from one random start, so that one stored row finds them all.
 * `random` holds 80 bits from a secure source.
 */
export const quoteIds = (now: number, random: bigint, count: number): readonly QuoteId[] => {
  if (BigInt(count) > MAX_QUOTES_PER_ANSWER) throw new RangeError(`too many quotes in one answer: ${count}`)
  const room = (1n << RANDOM_BITS) - MAX_QUOTES_PER_ANSWER
  const first = (BigInt(now) << RANDOM_BITS) | (random > room ? room : random)
  return Array.from({ length: count }, (_, index) => encode(first + BigInt(index)))
}
