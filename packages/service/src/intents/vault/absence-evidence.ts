import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import type { OrderFacts } from './order-facts.ts'

/** Evidence that an order was not filled on a payment chain. */
export type AbsenceEvidence = {
  /**
   * Whether the order was not filled and never will be: a majority of the endpoints say that the accounts of the order have no
   * fill up to a final block past the deadline, and none denies it. Rejects while they cannot tell.
   */
  readonly isAbsent: (orderId: OrderId, order: IntentOrder, quotedAt: Instant) => Promise<boolean>
}

type Deps = {
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'faults'>>
  readonly orderFacts: Pick<OrderFacts, 'unfilled'>
  readonly now: () => Instant
}

const REMEMBERED = 20_000
/** Strangers decide how much there is to read. */
const LOOK_AGAIN_MS = 10_000

/** Creates the evidence; a positive result is kept, because it cannot change, others are read again after ten seconds. */
export const createAbsenceEvidence = ({ paymentChains, orderFacts, now }: Deps): AbsenceEvidence => {
  const absent = createLru<OrderId, true>(REMEMBERED)
  const lookedAt = createLru<OrderId, Instant>(REMEMBERED)
  const share = shareInFlight<OrderId, boolean>()

  const look = async (orderId: OrderId, order: IntentOrder, quotedAt: Instant): Promise<boolean> => {
    lookedAt.set(orderId, now())
    const endpoints = paymentChains.get(order.destinationChain)?.faults().length ?? 0
    const statements = await orderFacts.unfilled(orderId, order, quotedAt).ask()
    const isAbsent = statements.length * 2 > endpoints && statements.every(({ confirms }) => confirms)
    if (isAbsent) absent.set(orderId, true)
    return isAbsent
  }
  return {
    isAbsent: async (orderId, order, quotedAt) => {
      if (absent.get(orderId) === true) return true
      const before = lookedAt.get(orderId)
      if (before !== undefined && now() - before < LOOK_AGAIN_MS) return share(orderId, async () => false)
      return share(orderId, () => look(orderId, order, quotedAt))
    },
  }
}
