import type { OrderId } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'
import type { DeclinedOrder, Store, StoredPayout, StoredTransaction } from '../../store/store.ts'
import type { TransactionState } from './decision.ts'
import { orderKeys } from './order-keys.ts'

/** The outcomes of the solver's transactions and declines, read from the store only while they can change. */
export type TransactionStates = {
  readonly lookUpTransaction: (key: string) => Promise<TransactionState>
  readonly lookUpPayout: (key: string) => Promise<TransactionState>
  /** Whether an order was declined without a transaction, noted under the key of its decline. */
  readonly lookUpDeclinedOrder: (orderId: OrderId) => Promise<TransactionState>
  /** Stores an order as declined. Rejects if the store fails; whether it was stored is then looked up again. */
  readonly addDeclinedOrder: (declined: DeclinedOrder) => Promise<void>
  /** The result of the last read; `none` before the first. */
  readonly known: (key: string) => TransactionState
  /** Records a new submission. */
  readonly note: (entry: Pick<StoredTransaction | StoredPayout, 'key' | 'outcome'>) => void
}

const MAX_KNOWN = 200_000

/** What moved nothing counts as reverted, whether it was included or can never be. */
const stateOf = (outcome: (StoredTransaction | StoredPayout)['outcome']): TransactionState =>
  outcome === 'open' || outcome === 'succeeded' ? outcome : 'reverted'

/** Caches the store's states; only this process writes to it. */
export const createTransactionStates = (
  store: Pick<Store, 'findTransaction' | 'findPayout' | 'findDeclinedOrder' | 'addDeclinedOrder'>,
): TransactionStates => {
  const states = createLru<string, TransactionState>(MAX_KNOWN)
  const lookUp = async (key: string, read: () => Promise<TransactionState>): Promise<TransactionState> => {
    const before = states.get(key)
    if (before !== undefined && before !== 'open') return before
    const state = await read()
    states.set(key, state)
    return state
  }
  const stateIn =
    (find: (key: string) => Promise<Pick<StoredTransaction | StoredPayout, 'outcome'> | undefined>) =>
    (key: string): Promise<TransactionState> =>
      lookUp(key, async () => {
        const entry = await find(key)
        return entry === undefined ? 'none' : stateOf(entry.outcome)
      })
  return {
    lookUpTransaction: stateIn(store.findTransaction),
    lookUpPayout: stateIn(store.findPayout),
    lookUpDeclinedOrder: (orderId) =>
      lookUp(orderKeys(orderId).decline, async () =>
        (await store.findDeclinedOrder(orderId)) === undefined ? 'none' : 'succeeded',
      ),
    addDeclinedOrder: async (declined) => {
      const key = orderKeys(declined.orderId).decline
      // A write that failed may have been made: `none` would let the order be filled.
      states.set(key, 'open')
      await store.addDeclinedOrder(declined)
      states.set(key, 'succeeded')
    },
    known: (key) => states.get(key) ?? 'none',
    note: (entry) => states.set(entry.key, stateOf(entry.outcome)),
  }
}
