const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const MUXED = /^M[A-Z2-7]{68}$/
/** The kind `G`, a public key. Source: SEP-23. */
const ACCOUNT_KIND = 6 << 3
const KEY_BITS = 256
const ID_BITS = 64
const CHECKSUM_BITS = 16
const CRC_POLYNOMIAL = 0x1021
const WORD = 0xffff

/** CRC-16/XMODEM of some bytes. */
const checksum = (bytes: readonly number[]): number =>
  bytes.reduce((sum, byte) => {
    let crc = sum ^ (byte << 8)
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1) & WORD
    return crc
  }, 0)

const bytesOf = (value: bigint, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => Number((value >> BigInt(8 * (count - 1 - index))) & 0xffn))

const toBase32 = (bits: bigint, letters: number): string =>
  Array.from(
    { length: letters },
    (_, index) => BASE32[Number((bits >> BigInt(5 * (letters - 1 - index))) & 31n)],
  ).join('')

/** The account behind a muxed address (M…) and its id, which a payment to the account names by a memo; undefined for any other. */
export const muxedAccount = (
  address: string,
): { readonly account: string; readonly id: bigint } | undefined => {
  if (!MUXED.test(address)) return undefined
  // Kind, key, id, checksum, and one bit that fills the last letter.
  const bits = [...address].reduce((sum, letter) => sum * 32n + BigInt(BASE32.indexOf(letter)), 0n) >> 1n
  const payload = bits >> BigInt(CHECKSUM_BITS)
  const id = BigInt.asUintN(ID_BITS, payload)
  const key = BigInt.asUintN(KEY_BITS, payload >> BigInt(ID_BITS))
  if (checksum(bytesOf(payload, 41)) !== swapped(Number(bits & BigInt(WORD)))) return undefined
  const named = (BigInt(ACCOUNT_KIND) << BigInt(KEY_BITS)) | key
  const sum = swapped(checksum(bytesOf(named, 33)))
  return { account: toBase32((named << BigInt(CHECKSUM_BITS)) | BigInt(sum), 56), id }
}

/** The checksum is written with its low byte first. */
const swapped = (word: number): number => ((word & 0xff) << 8) | (word >> 8)
