import type { Instant } from '../../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'

/** An order that the service gave notice of. */
export type PendingOrder = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  /** Whether the service says that the deposit is final. */
  readonly isFinal: boolean
  /** Since when the recipient is known to be paid. */
  readonly paidAt: Instant | undefined
  /** When the service was last told that the order is declined. */
  readonly declineSentAt: Instant | undefined
  /** When its chains were last asked about it. */
  readonly lookedAt: Instant | undefined
}

type Change = Partial<Pick<PendingOrder, 'paidAt' | 'declineSentAt' | 'lookedAt'>>

/** The attested orders that are not over; the service names them again after each login, so they are in memory alone. */
export type PendingOrders = {
  /** Takes a notice; false when there is no room for another order. */
  readonly take: (notice: Pick<PendingOrder, 'orderId' | 'order' | 'isFinal'>) => boolean
  readonly orders: () => readonly PendingOrder[]
  /** Nothing happens when the order is not known. */
  readonly change: (orderId: OrderId, change: Change) => void
  readonly forget: (orderId: OrderId) => void
}

const MAX_ORDERS = 10_000

/** An inbox of at most 10,000 orders. A deposit that was final stays final, and a notice that comes again changes little. */
export const createPendingOrders = (): PendingOrders => {
  const entries = new Map<OrderId, PendingOrder>()
  return {
    take: ({ orderId, order, isFinal }) => {
      const known = entries.get(orderId)
      if (known === undefined && entries.size >= MAX_ORDERS) return false
      const fresh = { orderId, order, paidAt: undefined, lookedAt: undefined }
      entries.set(orderId, {
        ...(known ?? fresh),
        isFinal: isFinal || known?.isFinal === true,
        // Whoever asks again has not heard of it.
        declineSentAt: undefined,
      })
      return true
    },
    orders: () => [...entries.values()],
    change: (orderId, change) => {
      const known = entries.get(orderId)
      if (known !== undefined) entries.set(orderId, { ...known, ...change })
    },
    forget: (orderId) => void entries.delete(orderId),
  }
}
