import type { Instant } from '../../../core/instant.ts'
import type { OrderId } from '../../../core/intent-order.ts'
import type { Store } from '../../../store/store.ts'
import { orderKeys } from '../examine.ts'
import type { OutboxStates } from '../outbox-states.ts'
import type { PendingOrder } from './pending-orders.ts'

/** Declines persisted before they are sent, so a declined order is never filled. */
export type DeclinedOrders = {
  /** Resolves when the decline is durable; only then may it be sent. Rejects if the store fails. */
  readonly keep: (entry: Pick<PendingOrder, 'orderId' | 'order'>) => Promise<void>
}

type Deps = {
  readonly store: Pick<Store, 'addOutboxEntry' | 'findOutboxEntry' | 'lastOutboxNonce'>
  readonly states: Pick<OutboxStates, 'note'>
  readonly now: () => Instant
}

/** A placeholder sender: the entries are not transactions, and no outbox monitors them. */
const SENDER = 'declines'
const MAX_TRIES = 16

/** Stores declines in the outbox's table, where the key of an order's decline is permanent. */
export const createDeclinedOrders = ({ store, states, now }: Deps): DeclinedOrders => {
  const add = async (orderId: OrderId, chainId: string, key: string): Promise<void> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const last = await store.lastOutboxNonce(chainId, SENDER)
      const isKept = await store.addOutboxEntry({
        key,
        chainId,
        sender: SENDER,
        nonce: last === undefined ? 0 : last + 1,
        txHash: orderId,
        replacedTxHashes: [],
        rawTransaction: '',
        signedAt: now(),
        outcome: 'succeeded',
      })
      if (isKept || (await store.findOutboxEntry(key)) !== undefined) return
    }
    throw new Error(`${key} could not be kept in ${MAX_TRIES} tries`)
  }
  return {
    keep: async ({ orderId, order }) => {
      const key = orderKeys(orderId).decline
      await add(orderId, order.originChain, key)
      states.note({ key, outcome: 'succeeded' })
    },
  }
}
