import type { Address } from '@solana/kit'
import type { StoredAccount } from './account.ts'
import type { SignedTransaction, TransactionAccounts } from './transaction.ts'
import type { Execution } from './vm.ts'

/** The finality a reader asks for, from one block to finalized. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** A block: its slot, its height, its hash and its transactions. */
export type Block = {
  readonly slot: number
  readonly height: number
  readonly hash: string
  readonly parentSlot: number
  readonly parentHash: string
  readonly timeSeconds: number
  readonly transactions: LandedTransaction[]
  /** Each account the block changed, in its state before; null when it did not exist. Emptied at finality. */
  readonly before: Map<Address, StoredAccount | null>
}

/** An account's balance of a token in base units. */
export type TokenHolding = {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly program: Address
  readonly amount: bigint
  readonly decimals: number
}

/** Balances before or after a transaction: lamports by account, and token balances. */
export type Balances = { readonly lamports: readonly bigint[]; readonly tokens: readonly TokenHolding[] }

/** A transaction in a block, successful or failed with its fee paid. */
export type LandedTransaction = {
  readonly transaction: SignedTransaction
  readonly accounts: TransactionAccounts
  readonly execution: Execution
  readonly feeLamports: bigint
  readonly before: Balances
  readonly after: Balances
  readonly block: Block
}
