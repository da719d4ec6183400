import type { Address } from '@solana/kit'
import type { LandedTransaction } from './block.ts'
import type { SignedTransaction } from './transaction.ts'

/** Transactions in the current chain's blocks, by signature and by account. */
export type History = {
  readonly add: (landed: LandedTransaction) => void
  readonly remove: (landed: LandedTransaction) => void
  readonly find: (signature: string) => LandedTransaction | undefined
  /** Whether a transaction with this signature or the same message is in a block. */
  readonly knows: (transaction: SignedTransaction) => boolean
  /** Transactions that name an account, oldest first. */
  readonly ofAddress: (address: Address) => readonly LandedTransaction[]
  readonly count: () => number
  /** The first slot of whose transactions none was dropped; 0 while all are kept. */
  readonly wholeFrom: () => number
}

/** More than the largest flood of the tests. */
const MAX_TRANSACTIONS = 200_000

/** Creates a history with a limit of transactions; the oldest are dropped first. */
export const createHistory = (limit = MAX_TRANSACTIONS): History => {
  const bySignature = new Map<string, LandedTransaction>()
  const messages = new Set<string>()
  const byAddress = new Map<Address, LandedTransaction[]>()
  let total = 0
  let wholeFrom = 0

  const remove = (landed: LandedTransaction): void => {
    bySignature.delete(landed.transaction.signature)
    messages.delete(landed.transaction.messageHash)
    for (const address of new Set(landed.accounts.addresses)) {
      const list = byAddress.get(address) ?? []
      const position = list.indexOf(landed)
      if (position >= 0) list.splice(position, 1)
      if (list.length === 0) byAddress.delete(address)
    }
  }

  return {
    add: (landed) => {
      total += 1
      bySignature.set(landed.transaction.signature, landed)
      messages.add(landed.transaction.messageHash)
      for (const address of new Set(landed.accounts.addresses)) {
        const list = byAddress.get(address)
        if (list === undefined) byAddress.set(address, [landed])
        else list.push(landed)
      }
      const [oldest] = bySignature.size > limit ? bySignature.values() : []
      if (oldest === undefined) return
      remove(oldest)
      wholeFrom = oldest.block.slot + 1
    },
    remove: (landed) => {
      total -= 1
      remove(landed)
    },
    find: (signature) => bySignature.get(signature),
    knows: ({ signature, messageHash }) => bySignature.has(signature) || messages.has(messageHash),
    ofAddress: (address) => byAddress.get(address) ?? [],
    count: () => total,
    wholeFrom: () => wholeFrom,
  }
}
