import type { AddressRules } from '../address-rules.ts'
import { boundedMap } from '../bounded-map.ts'

/** Contract addresses of the native asset, by network: SHA-256 over the passphrase's hash and the asset. Source: CAP-46-2. */
const NATIVE_TOKENS: ReadonlyMap<string, string> = new Map([
  ['stellar:pubnet', 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA'],
  ['stellar:testnet', 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC'],
])

/** First byte and length in characters of each kind of key, by its letter. Source: SEP-23. */
const KINDS = {
  G: { version: 6 << 3, characters: 56 },
  C: { version: 2 << 3, characters: 56 },
  M: { version: 12 << 3, characters: 69 },
} as const

type Kind = keyof typeof KINDS

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const FORM = /^[GCM][A-Z2-7]{55,68}$/
const CACHED_ADDRESSES = 50_000

const known = boundedMap<string, Kind>(CACHED_ADDRESSES)

/** The bytes of unpadded base32, or undefined when bits are left over that are not zero. */
const fromBase32 = (text: string): Uint8Array | undefined => {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let pending = 0
  let bits = 0
  let length = 0
  for (const character of text) {
    pending = ((pending << 5) | ALPHABET.indexOf(character)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[length] = (pending >> bits) & 0xff
      length += 1
    }
  }
  return (pending & ((1 << bits) - 1)) === 0 ? bytes : undefined
}

/** CRC-16/XMODEM. Source: SEP-23. */
const checksum = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc
}

const isKind = (letter: string): letter is Kind => letter in KINDS

const decodeKind = (text: string): Kind | undefined => {
  const letter = text.charAt(0)
  if (!FORM.test(text) || !isKind(letter)) return undefined
  const { version, characters } = KINDS[letter]
  const bytes = text.length === characters ? fromBase32(text) : undefined
  if (bytes === undefined || bytes[0] !== version) return undefined
  const body = bytes.subarray(0, -2)
  const [low = 0, high = 0] = bytes.subarray(-2)
  return checksum(body) === (low | (high << 8)) ? letter : undefined
}

const kindOf = (text: string): Kind | undefined => {
  const seen = known.get(text)
  if (seen !== undefined) return seen
  const kind = decodeKind(text)
  if (kind !== undefined) known.set(text, kind)
  return kind
}

const parser =
  (kinds: string) =>
  (text: string): string | undefined => {
    const kind = kindOf(text)
    return kind !== undefined && kinds.includes(kind) ? text : undefined
  }

/**
 * Stellar addresses: StrKey text with its checksum. Tokens are contracts, senders accounts; contracts and muxed accounts
 * can be paid too. Source: SEP-23, interface "Native tokens".
 */
export const stellarAddressRules: AddressRules = {
  chainType: 'stellar',
  expected: 'a StrKey with its checksum: C… for tokens, G… for senders, G…, C… or M… for recipients',
  parseToken: parser('C'),
  parseSender: parser('G'),
  parseRecipient: parser('GCM'),
  nativeToken: (chainId) => NATIVE_TOKENS.get(chainId),
}
