import type { Address } from '@solana/kit'

/** An account's state: its balance in lamports, its bytes, and the program that owns it. */
export type StoredAccount = {
  readonly lamports: bigint
  readonly bytes: Uint8Array
  readonly owner: Address
  readonly executable: boolean
}

/** Reads an account from one state of the chain; null if it holds no lamports. */
export type ReadAccount = (address: Address) => StoredAccount | null
