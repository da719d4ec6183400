import { base32nopad } from '@scure/base'

/** First byte and text length of each key kind, by its letter. Source: SEP-23. */
const KINDS = {
  G: { version: 6 << 3, characters: 56 },
  C: { version: 2 << 3, characters: 56 },
  M: { version: 12 << 3, characters: 69 },
  S: { version: 18 << 3, characters: 56 },
  B: { version: 1 << 3, characters: 58 },
} as const

/** G: account, C: contract, M: muxed account (32 bytes of key, 8 of id), S: secret seed, B: claimable balance (33 bytes). */
export type StrKeyKind = keyof typeof KINDS

const FORM = /^[GCMSB][A-Z2-7]{55,68}$/

/** The bytes of unpadded base32, or undefined when bits are left over that are not zero. */
const fromBase32 = (text: string): Uint8Array | undefined => {
  try {
    return base32nopad.decode(text)
  } catch {
    return undefined
  }
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

const isKind = (letter: string): letter is StrKeyKind => letter in KINDS

/** Decodes a StrKey into kind and bytes; undefined for other text or a wrong checksum. Source: SEP-23. */
export const decodeStrKey = (
  text: string,
): { readonly kind: StrKeyKind; readonly bytes: Uint8Array } | undefined => {
  const letter = text.charAt(0)
  if (!FORM.test(text) || !isKind(letter)) return undefined
  const { version, characters } = KINDS[letter]
  const all = text.length === characters ? fromBase32(text) : undefined
  if (all === undefined || all[0] !== version) return undefined
  const [low = 0, high = 0] = all.subarray(-2)
  return checksum(all.subarray(0, -2)) === (low | (high << 8))
    ? { kind: letter, bytes: all.subarray(1, -2) }
    : undefined
}

/** The bytes of a StrKey of one kind; throws RangeError for other text without repeating it. */
export const strKeyBytes = (kind: StrKeyKind, text: string): Uint8Array => {
  const decoded = decodeStrKey(text)
  if (decoded?.kind !== kind) throw new RangeError(`expected a StrKey of the form ${kind}…`)
  return decoded.bytes
}

/** Encodes bytes as StrKey of a kind: 32 bytes, 40 for M. Source: SEP-23. */
export const strKeyText = (kind: StrKeyKind, bytes: Uint8Array): string => {
  const body = new Uint8Array(bytes.length + 3)
  body[0] = KINDS[kind].version
  body.set(bytes, 1)
  const crc = checksum(body.subarray(0, -2))
  body[body.length - 2] = crc & 0xff
  body[body.length - 1] = crc >> 8
  return base32nopad.encode(body)
}
