import { encodeBase58 } from './base58.ts'

/** What a token account says of itself; amounts in base units. */
export type TokenAccount = {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly isFrozen: boolean
}

/** The fields that both token programs share, and the byte of Token-2022 that tells accounts from mints. */
const ACCOUNT_BYTES = 165
const OWNER_AT = 32
const AMOUNT_AT = 64
const STATE_AT = 108
const FROZEN = 2
const ACCOUNT_TYPE = 2

/** Reads a token account's bytes; undefined when they are none. Source: SPL Token "Account", Token-2022 "AccountType". */
export const parseTokenAccount = (bytes: Buffer): TokenAccount | undefined => {
  const isAccount =
    bytes.length === ACCOUNT_BYTES || (bytes.length > ACCOUNT_BYTES && bytes[ACCOUNT_BYTES] === ACCOUNT_TYPE)
  if (!isAccount || bytes[STATE_AT] === 0) return undefined
  return {
    mint: encodeBase58(bytes.subarray(0, OWNER_AT)),
    owner: encodeBase58(bytes.subarray(OWNER_AT, AMOUNT_AT)),
    amount: bytes.readBigUInt64LE(AMOUNT_AT),
    isFrozen: bytes[STATE_AT] === FROZEN,
  }
}
