import { decodeStrKey, strKeyBytes, strKeyText } from './str-key.ts'

const KEY_BYTES = 32
const ID_BYTES = 8

/** The M… address of an account (G…) and an id below 2^64. Throws RangeError for anything else. Source: SEP-23. */
export const muxedAddress = (account: string, id: bigint): string => {
  if (id < 0n || id >= 1n << 64n) throw new RangeError(`muxed id ${id} has more than 64 bits`)
  const bytes = Buffer.alloc(KEY_BYTES + ID_BYTES)
  bytes.set(strKeyBytes('G', account))
  bytes.writeBigUInt64BE(id, KEY_BYTES)
  return strKeyText('M', bytes)
}

/** The account (G…) behind a G… or M… address and the id of the latter; undefined for contracts and other texts. */
export const accountBehind = (
  address: string,
): { readonly account: string; readonly muxedId: bigint | undefined } | undefined => {
  const decoded = decodeStrKey(address)
  if (decoded?.kind === 'G') return { account: address, muxedId: undefined }
  if (decoded?.kind !== 'M') return undefined
  const muxedId = Buffer.from(decoded.bytes).readBigUInt64BE(KEY_BYTES)
  return { account: strKeyText('G', decoded.bytes.subarray(0, KEY_BYTES)), muxedId }
}
