import type { ChainId } from '@openrfq/sdk'
import type { PaymentPlace, Store, StoredPayment } from '../../store/store.ts'
import { returnMemo } from './obligations.ts'

type Deps = {
  readonly chainId: ChainId
  readonly vault: string
  readonly store: Pick<Store, 'listPayments' | 'findPayment'>
}

const PAGE = 500

/**
 * Finds payouts of a vault that belong to no stored deposit. After a store was restored from before a quote, they are
 * the payouts for that quote.
 */
export const createUnexplainedPayouts = ({ chainId, vault, store }: Deps) => {
  const owed = new Set<string>()
  const unexplained: StoredPayment[] = []
  let place: PaymentPlace | undefined

  const enter = (payment: StoredPayment): void => {
    const { role, from, orderId, memo } = payment
    if (role === 'deposit') {
      owed.add(returnMemo(payment))
      if (orderId !== undefined) owed.add(orderId)
    }
    if (role === 'payout' && from === vault && !owed.has(memo ?? '')) unexplained.push(payment)
  }

  /** The first one in the token since a block; rejects if the store cannot be read. */
  return async (token: string, since: bigint): Promise<StoredPayment | undefined> => {
    for (;;) {
      const page = await store.listPayments(chainId, PAGE, place)
      for (const payment of page) enter(payment)
      place = page.at(-1) ?? place
      if (page.length < PAGE) break
    }
    for (const payment of unexplained)
      if (payment.token === token && payment.blockNumber >= since) {
        const found = await store.findPayment(payment)
        if (found !== undefined) return found
      }
    return undefined
  }
}
