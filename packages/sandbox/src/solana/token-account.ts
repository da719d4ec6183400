import type { Address } from '@solana/kit'
import type { StoredAccount } from './account.ts'
import { toAddress } from './address-bytes.ts'

/** The token programs. */
export const TOKEN_PROGRAMS: Readonly<Record<string, 'spl-token' | 'spl-token-2022'>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'spl-token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'spl-token-2022',
}

/** A mint's fields. Source: SPL Token, state.rs, 82 bytes. */
export type MintFields = {
  readonly mintAuthority: Address | null
  readonly supply: bigint
  readonly decimals: number
  readonly isInitialized: boolean
  readonly freezeAuthority: Address | null
}

/** A token account's fields; `rentReserve` is set for wrapped SOL. Source: SPL Token, state.rs, 165 bytes. */
export type TokenAccountFields = {
  readonly mint: Address
  readonly owner: Address
  readonly amount: bigint
  readonly delegate: Address | null
  readonly state: 'uninitialized' | 'initialized' | 'frozen'
  readonly rentReserve: bigint | null
  readonly delegatedAmount: bigint
  readonly closeAuthority: Address | null
}

/** Size of a mint and of a token account without extensions, in bytes. */
export const MINT_BYTES = 82
export const TOKEN_ACCOUNT_BYTES = 165

/** Offset of the byte that distinguishes an extended mint (1) from an extended token account (2). */
const ACCOUNT_KIND_OFFSET = TOKEN_ACCOUNT_BYTES
const MULTISIG_BYTES = 355
const STATES = ['uninitialized', 'initialized', 'frozen'] as const

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

const addressAt = (bytes: Uint8Array, offset: number): Address =>
  toAddress(bytes.subarray(offset, offset + 32))

const optionalAddress = (bytes: Uint8Array, offset: number): Address | null =>
  viewOf(bytes).getUint32(offset, true) === 0 ? null : addressAt(bytes, offset + 4)

const kindOf = (account: StoredAccount): 'mint' | 'account' | null => {
  const { length } = account.bytes
  if (TOKEN_PROGRAMS[account.owner] === undefined || length === MULTISIG_BYTES) return null
  if (length === MINT_BYTES) return 'mint'
  if (length === TOKEN_ACCOUNT_BYTES) return 'account'
  const kind = account.bytes[ACCOUNT_KIND_OFFSET]
  return kind === 1 ? 'mint' : kind === 2 ? 'account' : null
}

/** A mint's fields; null unless the account is an initialized mint. */
export const readMint = (account: StoredAccount | null): MintFields | null => {
  if (account === null || kindOf(account) !== 'mint') return null
  const { bytes } = account
  const isInitialized = bytes[45] === 1
  if (!isInitialized) return null
  return {
    mintAuthority: optionalAddress(bytes, 0),
    supply: viewOf(bytes).getBigUint64(36, true),
    decimals: bytes[44] ?? 0,
    isInitialized,
    freezeAuthority: optionalAddress(bytes, 46),
  }
}

/** A token account's fields; null unless the account is an initialized token account. */
export const readTokenAccount = (account: StoredAccount | null): TokenAccountFields | null => {
  if (account === null || kindOf(account) !== 'account') return null
  const { bytes } = account
  const view = viewOf(bytes)
  const state = STATES[bytes[108] ?? 0] ?? 'uninitialized'
  if (state === 'uninitialized') return null
  return {
    mint: addressAt(bytes, 0),
    owner: addressAt(bytes, 32),
    amount: view.getBigUint64(64, true),
    delegate: optionalAddress(bytes, 72),
    state,
    rentReserve: view.getUint32(109, true) === 0 ? null : view.getBigUint64(113, true),
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: optionalAddress(bytes, 129),
  }
}
