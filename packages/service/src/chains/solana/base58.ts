const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS = new Map([...ALPHABET].map((character, value) => [character, value]))
const FORM = /^[1-9A-HJ-NP-Za-km-z]*$/
/** 58^9 is the largest power of 58 that a number holds exactly. */
const CHUNK_DIGITS = 9
const CHUNK = BigInt(58 ** CHUNK_DIGITS)

const toInteger = (digits: string): bigint => {
  let total = 0n
  for (let start = 0; start < digits.length; start += CHUNK_DIGITS) {
    const chunk = digits.slice(start, start + CHUNK_DIGITS)
    let value = 0
    for (const character of chunk) value = value * 58 + (DIGITS.get(character) ?? 0)
    total = total * BigInt(58 ** chunk.length) + BigInt(value)
  }
  return total
}

const toHex = (value: bigint): string => {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

/**
 * The bytes of base58 text, or undefined when a character is none of the alphabet. Every leading `1` is a zero byte; the
 * rest is an integer without leading zero bytes. The time grows with the square of the length.
 */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  if (!FORM.test(text)) return undefined
  const digits = text.replace(/^1+/, '')
  const rest = digits === '' ? '' : toHex(toInteger(digits))
  return Buffer.from('00'.repeat(text.length - digits.length) + rest, 'hex')
}

const digitsOf = (chunk: number, count: number): string => {
  let text = ''
  for (let left = chunk, made = 0; made < count; made += 1) {
    text = ALPHABET[left % 58] + text
    left = Math.floor(left / 58)
  }
  return text
}

/** The base58 text of bytes; the inverse of `decodeBase58`. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeroBytes = 0
  while (bytes[zeroBytes] === 0) zeroBytes += 1
  if (zeroBytes === bytes.length) return '1'.repeat(zeroBytes)
  let left = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (left > 0n) {
    text = digitsOf(Number(left % CHUNK), CHUNK_DIGITS) + text
    left /= CHUNK
  }
  return '1'.repeat(zeroBytes) + text.replace(/^1+/, '')
}
