import type { Address } from '@solana/kit'
import type { StoredAccount } from './account.ts'
import type { SignedTransaction, TransactionAccounts } from './transaction.ts'
import type { Execution } from './vm.ts'

/** How sure a reader wants to be that what it reads stays: from one block to finality. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** A block: its slot, its height among blocks, its hash, and what happened in it. */
export type Block = {
  readonly slot: number
  readonly height: number
  readonly hash: string
  readonly parentSlot: number
  readonly parentHash: string
  readonly timeSeconds: number
  readonly transactions: LandedTransaction[]
  /** Every account that the block changed, as it stood before; null for one that was not there. Emptied at finality. */
  readonly before: Map<Address, StoredAccount | null>
}

/** What an account of a transaction held of a token; amounts in base units. */
export type TokenHolding = {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly program: Address
  readonly amount: bigint
  readonly decimals: number
}

/** The balances of a transaction's accounts at one moment: lamports by account, and token holdings. */
export type Balances = { readonly lamports: readonly bigint[]; readonly tokens: readonly TokenHolding[] }

/** A transaction that a block recorded, whether it succeeded or only paid its fee. */
export type LandedTransaction = {
  readonly transaction: SignedTransaction
  readonly accounts: TransactionAccounts
  readonly execution: Execution
  readonly feeLamports: bigint
  readonly before: Balances
  readonly after: Balances
  readonly block: Block
}
