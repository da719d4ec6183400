import { boundedMap } from '../../chains/bounded-map.ts'
import type { OutboxEntry, Store } from '../../store/store.ts'
import type { TransactionState } from './decision.ts'

/** What became of the transactions of the outbox, read from the store only while they can change. */
export type OutboxStates = {
  readonly look: (key: string) => Promise<TransactionState>
  /** What the last look found; `none` when nobody looked. */
  readonly known: (key: string) => TransactionState
  /** Notes a transaction that was just submitted. */
  readonly note: (entry: Pick<OutboxEntry, 'key' | 'outcome'>) => void
}

const MAX_KNOWN = 200_000

/** A transaction whose nonce was used otherwise never happens, as if it had reverted. */
const stateOf = ({ outcome }: Pick<OutboxEntry, 'outcome'>): TransactionState =>
  outcome === 'displaced' ? 'reverted' : outcome

/** Remembers what the store said; only this process writes to it. */
export const createOutboxStates = (store: Pick<Store, 'findOutboxEntry'>): OutboxStates => {
  const states = boundedMap<string, TransactionState>(MAX_KNOWN)
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
