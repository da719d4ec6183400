/** An id's digits in base 32, 5 bits each. */
const DIGITS = 26
const BASE = 32
/** As many digits as a `number` holds exactly. */
const DIGITS_AT_ONCE = 10
const RANDOM_BITS = 80n
/** Room left above the random part so that the ids of one answer can count up without touching the time. */
const MAX_QUOTES_PER_ANSWER = 16

/** `quote_` and 26 characters: 48 bits of milliseconds, 80 random bits; ordered by time, not guessable. */
export type QuoteId = `quote_${string}`

/** What a quote id may look like in a lookup; any other well-formed text is simply unknown. */
const QUOTE_ID_PATTERN = /^quote_[0-7][0-9a-v]{25}$/

/** Narrows text to the form of a quote id this service could have issued. */
export const isQuoteId = (text: string): text is QuoteId => QUOTE_ID_PATTERN.test(text)

/** JavaScript's digits of base 32 are those of base32hex, so text and number have the same order. */
const encode = (value: bigint): QuoteId => `quote_${value.toString(BASE).padStart(DIGITS, '0')}`

/** Counts in the last digit, and writes the whole number anew only where that overflows. */
const countFrom = (first: bigint, count: number): readonly QuoteId[] => {
  const id = encode(first)
  const head = id.slice(0, -1)
  const digit = Number.parseInt(id.slice(-1), BASE)
  return Array.from({ length: count }, (_, index): QuoteId => {
    if (index === 0) return id
    if (digit + index >= BASE) return encode(first + BigInt(index))
    // CAST: an id with another last digit is an id.
    return `${head}${(digit + index).toString(BASE)}` as QuoteId
  })
}

/**
 * The ids of one answer: consecutive numbers from one random start, so that one stored row finds them all.
 * `random` holds 80 bits from a secure source.
 */
export const quoteIds = (now: number, random: bigint, count: number): readonly QuoteId[] => {
  if (count > MAX_QUOTES_PER_ANSWER) throw new RangeError(`too many quotes in one answer: ${count}`)
  const room = (1n << RANDOM_BITS) - BigInt(MAX_QUOTES_PER_ANSWER)
  return countFrom((BigInt(now) << RANDOM_BITS) | (random > room ? room : random), count)
}

/** The first id of the answer that `quoteIds` makes of the same time and random bits. */
export const firstQuoteId = (now: number, random: bigint): QuoteId =>
  quoteIds(now, random, 1)[0] ?? encode(0n)

/** The number, of 128 bits, that an id writes. */
export const quoteNumber = (quoteId: QuoteId): bigint => {
  const digits = quoteId.slice(-DIGITS)
  let value = 0n
  for (let end = DIGITS % DIGITS_AT_ONCE; end <= DIGITS; end += DIGITS_AT_ONCE) {
    const chunk = digits.slice(Math.max(0, end - DIGITS_AT_ONCE), end)
    value = (value << BigInt(5 * chunk.length)) | BigInt(Number.parseInt(chunk, BASE))
  }
  return value
}

/** Every id that an answer may have given, by the number of its first, as far as the numbers go. */
export const idsOfAnswer = (first: bigint): readonly QuoteId[] =>
  countFrom(first, MAX_QUOTES_PER_ANSWER).filter(isQuoteId)
