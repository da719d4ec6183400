import { isEvmAddress, isHexBytes } from '../../core/hex.ts'

const WORD_DIGITS = 64
const WORD_BYTES = 32
const MAX_UINT = (1n << 256n) - 1n
/** Precomputed runs of zeros; strings from `padStart` are ropes, which are slow to write. */
const ZEROS = Array.from({ length: WORD_DIGITS + 1 }, (_, count) =>
  Buffer.alloc(count, '0').toString('latin1'),
)
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const zeros = (count: number): string => ZEROS[count] ?? ''
const ADDRESS_PADDING = zeros(24)

/** Encodes an unsigned integer as one ABI word: 64 hex digits without `0x`. Throws RangeError outside 0 … 2^256 - 1. */
export const uintWord = (value: bigint): string => {
  if (value < 0n || value > MAX_UINT) throw new RangeError(`expected an unsigned 256-bit integer: ${value}`)
  const digits = value.toString(16)
  return zeros(WORD_DIGITS - digits.length) + digits
}

/**
 * Encodes a 20-byte address as one ABI word: 64 lower-case hex digits without `0x`. Throws RangeError for another form.
 */
export const addressWord = (address: string): string => {
  if (!isEvmAddress(address)) throw new RangeError(`expected an address of 20 bytes: ${address}`)
  return ADDRESS_PADDING + address.slice(2).toLowerCase()
}

/** Encodes an address as an indexed topic of a log: `0x` and 64 lower-case hex digits. */
export const addressTopic = (address: string): string => `0x${addressWord(address)}`

/** Encodes 32 bytes of `0x` hex as one ABI word without `0x`. Throws RangeError for another length. */
export const bytes32Word = (hex: string): string => {
  if (hex.length !== 66 || !isHexBytes(hex)) throw new RangeError(`expected 32 bytes as hex: ${hex}`)
  return hex.slice(2).toLowerCase()
}

const paddedTail = (digits: string): string => {
  const words = Math.ceil(digits.length / WORD_DIGITS)
  return uintWord(BigInt(digits.length / 2)) + digits + zeros(words * WORD_DIGITS - digits.length)
}

/** Encodes the tail of a `bytes` argument given as `0x` hex: length word and padded bytes, without `0x`. */
export const bytesTail = (hex: string): string => {
  if (!isHexBytes(hex)) throw new RangeError(`expected bytes as hex: ${hex}`)
  return paddedTail(hex.slice(2).toLowerCase())
}

/** Encodes the tail of a `string` argument: length word and padded UTF-8 bytes, without `0x`. */
export const stringTail = (text: string): string => paddedTail(Buffer.from(text, 'utf8').toString('hex'))

/** The word at a position of ABI data given as `0x` hex: 64 digits without `0x`, or undefined past the end. */
export const wordAt = (hex: string, position: number): string | undefined => {
  const word = hex.slice(2 + position * WORD_DIGITS, 2 + (position + 1) * WORD_DIGITS)
  return word.length === WORD_DIGITS ? word : undefined
}

/** The unsigned integer at a word position, or undefined past the end. */
export const uintAt = (hex: string, position: number): bigint | undefined => {
  const word = wordAt(hex, position)
  return word === undefined ? undefined : BigInt(`0x${word}`)
}

/** The lower-case address at a word position; undefined past the end or when the upper 12 bytes are not zero. */
export const addressAt = (hex: string, position: number): string | undefined => {
  const word = wordAt(hex, position)
  return word?.startsWith('0'.repeat(24)) === true ? `0x${word.slice(24).toLowerCase()}` : undefined
}

/**
 * The `bytes` value whose offset is at a word index, as `0x` hex; undefined if offset or length point outside the data.
 * Offsets count from the start of `hex`, so pass calldata without its selector.
 */
export const bytesAt = (hex: string, position: number): string | undefined => {
  const offset = uintAt(hex, position)
  const totalBytes = (hex.length - 2) / 2
  if (offset === undefined || offset > BigInt(totalBytes - WORD_BYTES)) return undefined
  const start = 2 + Number(offset) * 2
  const length = BigInt(`0x${hex.slice(start, start + WORD_DIGITS)}`)
  if (length > BigInt(totalBytes) - offset - BigInt(WORD_BYTES)) return undefined
  const first = start + WORD_DIGITS
  return `0x${hex.slice(first, first + Number(length) * 2)}`
}

/** The `string` value whose offset is at a word index; undefined if out of bounds or not UTF-8. */
export const stringAt = (hex: string, position: number): string | undefined => {
  const bytes = bytesAt(hex, position)
  if (bytes === undefined) return undefined
  try {
    return UTF8.decode(Buffer.from(bytes.slice(2), 'hex'))
  } catch {
    return undefined
  }
}
