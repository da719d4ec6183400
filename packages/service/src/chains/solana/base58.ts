import { base58 } from '@scure/base'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGIT_OF = new Map([...ALPHABET].map((character, digit) => [character, digit]))
/** 58 to this power is below 2 to the power of 53. */
const CHUNK_DIGITS = 9
/** Room for the 10,240 bytes that one program may pass to another, and no more than some milliseconds of work. */
const MAX_CHARACTERS = 16_384

/**
 * The bytes of base58 text, or undefined when a character is none of the alphabet or the text is longer than 16,384
 * characters. The time grows with the square of the length. `@scure/base` decodes no more than 4,096 characters.
 */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  if (text.length > MAX_CHARACTERS) return undefined
  const zeros = text.length - text.replace(/^1+/, '').length
  let value = 0n
  for (let start = zeros; start < text.length; start += CHUNK_DIGITS) {
    const chunk = text.slice(start, start + CHUNK_DIGITS)
    let digits = 0
    for (const character of chunk) {
      const digit = DIGIT_OF.get(character)
      if (digit === undefined) return undefined
      digits = digits * ALPHABET.length + digit
    }
    value = value * BigInt(ALPHABET.length ** chunk.length) + BigInt(digits)
  }
  const hex = value === 0n ? '' : value.toString(16)
  return new Uint8Array([
    ...new Uint8Array(zeros),
    ...Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ])
}

/** The base58 text of bytes, at most some 3,000 of them; the inverse of `decodeBase58`. */
export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes)
