import { base58 } from '@scure/base'

/**
 * The bytes of base58 text, or undefined when a character is none of the alphabet. The time grows with the square of the
 * length.
 */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  try {
    return base58.decode(text)
  } catch {
    return undefined
  }
}

/** The base58 text of bytes; the inverse of `decodeBase58`. */
export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes)
