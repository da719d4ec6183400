import type { Address } from '@solana/kit'

/** An account's state: its balance in lamports, its data, and the program that owns it. */
export type StoredAccount = {
  readonly lamports: bigint
  readonly bytes: Uint8Array
  readonly owner: Address
  readonly executable: boolean
}

/** Reads an account at one state of the chain; null when it holds no lamports. */
export type ReadAccount = (address: Address) => StoredAccount | null
