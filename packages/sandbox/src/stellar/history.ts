import type { AppliedTransaction } from './apply-transaction.ts'
import type { ClosedLedger } from './closed-ledger.ts'
import { eventsOf, type LoggedEvent } from './event-log.ts'

/** A closed ledger with its events. */
export type KeptLedger = ClosedLedger & { readonly events: readonly LoggedEvent[] }

/** A transaction with its ledger; `order` counts from 1. */
export type FoundTransaction = {
  readonly ledger: KeptLedger
  readonly order: number
  readonly transaction: AppliedTransaction
}

/** Closed ledgers within the retention window. */
export type LedgerHistory = {
  readonly add: (ledger: ClosedLedger) => void
  readonly latest: () => KeptLedger
  readonly oldest: () => KeptLedger
  readonly at: (sequence: number) => KeptLedger | undefined
  /** Finds by hash in hex; a transaction in a fee bump also by its inner hash. */
  readonly findTransaction: (id: string) => FoundTransaction | undefined
}

const idsOf = ({ submission: { id, transaction } }: AppliedTransaction): readonly string[] => {
  const inner = transaction.hash.toString('hex')
  return inner === id ? [id] : [id, inner]
}

/** Creates a history that starts with one ledger and drops the oldest beyond the window. */
export const createLedgerHistory = (first: ClosedLedger, retainedLedgers: number): LedgerHistory => {
  const keep = (ledger: ClosedLedger): KeptLedger => ({ ...ledger, events: eventsOf(ledger) })
  let latest = keep(first)
  let oldest = latest
  const ledgers = new Map<number, KeptLedger>([[first.sequence, latest]])
  const found = new Map<string, FoundTransaction>()
  return {
    add: (closed) => {
      const ledger = keep(closed)
      latest = ledger
      ledgers.set(ledger.sequence, ledger)
      ledger.transactions.forEach((transaction, index) => {
        for (const id of idsOf(transaction)) found.set(id, { ledger, order: index + 1, transaction })
      })
      while (ledgers.size > retainedLedgers) {
        ledgers.delete(oldest.sequence)
        for (const transaction of oldest.transactions) for (const id of idsOf(transaction)) found.delete(id)
        oldest = ledgers.get(oldest.sequence + 1) ?? ledger
      }
    },
    latest: () => latest,
    oldest: () => oldest,
    at: (sequence) => ledgers.get(sequence),
    findTransaction: (id) => found.get(id),
  }
}
