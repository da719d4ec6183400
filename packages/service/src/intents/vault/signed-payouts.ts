import type { ChainId } from '@openrfq/sdk'
import { OrderId } from '../../core/intent-order.ts'
import type { Store, StoredPayout } from '../../store/store.ts'
import { isPaymentOf } from './payment-of-payout.ts'

/**
 * The signed payouts of one vault whose payments are not stored yet. A payout is one of them after it has landed too: its
 * outcome may be known long before its payment is read.
 */
export type SignedPayouts = {
  /** Adds a payout that was just signed. */
  readonly add: (payout: StoredPayout) => void
  /** Adds the open payouts of the store; rejects if it cannot be read. */
  readonly refresh: () => Promise<void>
  /** All of them, after a refresh; rejects if the store cannot be read. */
  readonly list: () => Promise<readonly StoredPayout[]>
}

type Deps = {
  readonly chainId: ChainId
  readonly vault: string
  readonly store: Pick<Store, 'findPayments' | 'findPayout' | 'listOpenPayouts'>
}

/** Creates signed payouts that are unknown until refreshed. */
export const createSignedPayouts = ({ chainId, vault, store }: Deps): SignedPayouts => {
  const signed = new Map<string, StoredPayout>()

  const add = (payout: StoredPayout): void => {
    signed.set(payout.key, payout)
  }
  const refresh = async (): Promise<void> => {
    for (const payout of await store.listOpenPayouts(chainId, vault)) add(payout)
  }
  const isOver = async (payout: StoredPayout): Promise<boolean> =>
    payout.outcome === 'failed' || payout.outcome === 'expired' || (await isStored(store, payout))

  return {
    add,
    refresh,
    list: async () => {
      await refresh()
      const waiting: StoredPayout[] = []
      for (const { key } of [...signed.values()]) {
        const payout = await store.findPayout(key)
        if (payout === undefined || (await isOver(payout))) signed.delete(key)
        else waiting.push(payout)
      }
      return waiting
    },
  }
}

/** Whether the stored payments include the payout. */
const isStored = async (store: Pick<Store, 'findPayments'>, payout: StoredPayout): Promise<boolean> => {
  const { chainId, sender, memo } = payout
  const stored = await store.findPayments(OrderId.parse(memo))
  return stored.some(
    (payment) =>
      payment.role === 'payout' &&
      payment.chainId === chainId &&
      payment.from === sender &&
      isPaymentOf(payment, payout),
  )
}
