import { encodeBase58 } from './base58.ts'

/** The fields of a token account; amounts in base units. */
export type TokenAccount = {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly isFrozen: boolean
}

/**
 * Size of the fields shared by both token programs, and the byte of Token-2022 that distinguishes accounts from mints.
 */
const ACCOUNT_BYTES = 165
const OWNER_AT = 32
const AMOUNT_AT = 64
const STATE_AT = 108
const FROZEN = 2
const ACCOUNT_TYPE = 2

/**
 * Parses a token account's bytes; undefined if they are not one. Source: SPL Token "Account", Token-2022 "AccountType".
 */
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
