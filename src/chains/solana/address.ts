import type { AddressRules } from '../address-rules.ts'
import { boundedMap } from '../bounded-map.ts'

/** Native SOL: 32 zero bytes. Source: interface "Native tokens". */
const NATIVE_TOKEN = '1'.repeat(32)

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS = new Map([...ALPHABET].map((character, value) => [character, value]))
const FORM = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const KEY_BYTES = 32
const CACHED_ADDRESSES = 50_000
/** 58^9 is the largest power of 58 that a number holds exactly. */
const CHUNK_DIGITS = 9

const known = boundedMap<string, true>(CACHED_ADDRESSES)

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

/** Every leading `1` is a zero byte; the rest is the key as an integer without leading zero bytes. */
const isKey = (text: string): boolean => {
  if (!FORM.test(text)) return false
  const digits = text.replace(/^1+/, '')
  const zeroBytes = text.length - digits.length
  const bytes = digits === '' ? 0 : Math.ceil(toInteger(digits).toString(16).length / 2)
  return zeroBytes + bytes === KEY_BYTES
}

const parse = (text: string): string | undefined => {
  if (known.get(text) === true) return text
  if (!isKey(text)) return undefined
  known.set(text, true)
  return text
}

const parseAccount = (text: string): string | undefined => (text === NATIVE_TOKEN ? undefined : parse(text))

/**
 * Solana addresses: base58 of 32 bytes, on or off the curve, because programs own accounts too. The all-zero key is
 * native SOL and never an account that is paid. Source: interface "Native tokens".
 */
export const solanaAddressRules: AddressRules = {
  chainType: 'solana',
  expected: 'base58 text of 32 bytes, not the all-zero system program',
  parseToken: parse,
  parseSender: parseAccount,
  parseRecipient: parseAccount,
  nativeToken: () => NATIVE_TOKEN,
}
