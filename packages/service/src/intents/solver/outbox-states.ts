import { createLru } from '../../lib/lru.ts'
import type { OutboxEntry, Store } from '../../store/store.ts'
import type { TransactionState } from './decision.ts'

/** The states of outbox transactions, read from the store only while they can change. */
export type OutboxStates = {
  readonly look: (key: string) => Promise<TransactionState>
  /** The result of the last read; `none` before the first. */
  readonly known: (key: string) => TransactionState
  /** Records a transaction that was just submitted. */
  readonly note: (entry: Pick<OutboxEntry, 'key' | 'outcome'>) => void
}

const MAX_KNOWN = 200_000

/** A transaction whose nonce was used elsewhere counts as reverted: it never happens. */
const stateOf = ({ outcome }: Pick<OutboxEntry, 'outcome'>): TransactionState =>
  outcome === 'displaced' ? 'reverted' : outcome

/** Caches the store's outcomes; only this process writes to it. */
export const createOutboxStates = (store: Pick<Store, 'findOutboxEntry'>): OutboxStates => {
  const states = createLru<string, TransactionState>(MAX_KNOWN)
  return {
    look: async (key) => {
      const before = states.get(key)
      if (before !== undefined && before !== 'open') return before
      const entry = await store.findOutboxEntry(key)
      const state = entry === undefined ? 'none' : stateOf(entry)
      states.set(key, state)
      return state
    },
    known: (key) => states.get(key) ?? 'none',
    note: (entry) => states.set(entry.key, stateOf(entry)),
  }
}
