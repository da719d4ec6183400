import { keccak, keccakHex } from '../../chains/evm/keccak.ts'
import { isHash } from '../../core/hex.ts'

/**
 * The words of one EIP-712 struct, in a buffer that is reused for each value: quoting needs the words both as hex and
 * hashed, and a fixed buffer costs less than joining and parsing text.
 */
export type StructWords = {
  /** Writes 32 bytes. */
  readonly setBytes: (position: number, bytes: Uint8Array) => void
  /** Writes 32 bytes of lower-case `0x` hex. Throws RangeError for other text. */
  readonly setHash: (position: number, hex: string) => void
  /** Writes an unsigned 256-bit integer. Throws RangeError for any other. */
  readonly setUint: (position: number, value: bigint) => void
  /** Writes the low 32 bits, which is the size of a contract's field of seconds; the bytes above stay zero. */
  readonly setSeconds: (position: number, seconds: number) => void
  /** All words as hex without `0x`. */
  readonly digits: () => string
  /** The EIP-712 hash of the struct as written, under a domain separator of 32 bytes; hex without `0x`. */
  readonly hash: (domainSeparator: Uint8Array) => string
  /** The EIP-712 hash of the struct with these words, hex without `0x`. */
  readonly hashOf: (digits: string, domainSeparator: Uint8Array) => string
}

type StructDeps = {
  /** Type hash of the struct, hex without `0x`. */
  readonly typeHash: string
  readonly wordCount: number
}

const WORD = 32
const DOMAIN_AT = 2
const STRUCT_HASH_AT = DOMAIN_AT + WORD
const MAX_UINT = (1n << 256n) - 1n

/** Creates the buffer of a struct; all its words are zero. Source: EIP-712. */
export const createStructWords = ({ typeHash, wordCount }: StructDeps): StructWords => {
  const struct = Buffer.from(typeHash + '00'.repeat(wordCount * WORD), 'hex')
  const words = struct.subarray(WORD)
  const view = new DataView(words.buffer, words.byteOffset, words.byteLength)
  const signed = Buffer.from(`1901${'00'.repeat(2 * WORD)}`, 'hex')

  const hashOfBytes = (bytes: Uint8Array, domainSeparator: Uint8Array): string => {
    signed.set(domainSeparator, DOMAIN_AT)
    signed.set(keccak(bytes), STRUCT_HASH_AT)
    return keccakHex(signed)
  }

  return {
    setBytes: (position, bytes) => words.set(bytes, position * WORD),
    setHash: (position, hex) => {
      if (!isHash(hex)) throw new RangeError(`expected 32 bytes as hex: ${hex}`)
      words.write(hex.slice(2), position * WORD, 'hex')
    },
    setUint: (position, value) => {
      if (value < 0n || value > MAX_UINT)
        throw new RangeError(`expected an unsigned 256-bit integer: ${value}`)
      const at = position * WORD
      // Writes 64 bits at a time.
      view.setBigUint64(at, value >> 192n)
      view.setBigUint64(at + 8, value >> 128n)
      view.setBigUint64(at + 16, value >> 64n)
      view.setBigUint64(at + 24, value)
    },
    setSeconds: (position, seconds) => {
      words.writeUInt32BE(seconds, position * WORD + WORD - 4)
    },
    digits: () => words.toString('hex'),
    hash: (domainSeparator) => hashOfBytes(struct, domainSeparator),
    hashOf: (digits, domainSeparator) => hashOfBytes(Buffer.from(typeHash + digits, 'hex'), domainSeparator),
  }
}
