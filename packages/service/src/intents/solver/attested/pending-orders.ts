import type { Instant } from '../../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'

/** An order that the service sent a notice for. */
export type PendingOrder = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  /** Whether the service reports the deposit as final. */
  readonly isFinal: boolean
  /** When the recipient was first known to be paid. */
  readonly paidAt: Instant | undefined
  /** When the decline was last sent to the service. */
  readonly declineSentAt: Instant | undefined
  /** Whether the fill is being named to the service, or was named since its last notice. */
  readonly isFillNamed: boolean
  /** Whether the deposit could be relied on when its chains were last queried. */
  readonly isRelied: boolean
  /** When its chains were last queried. */
  readonly lookedAt: Instant | undefined
}

type Change = Partial<
  Pick<PendingOrder, 'paidAt' | 'declineSentAt' | 'isFillNamed' | 'isRelied' | 'lookedAt'>
>

/** The attested orders that are not over; in memory only, because the service sends them again after each login. */
export type PendingOrders = {
  /** Adds the order of a notice; false if the limit is reached. */
  readonly take: (notice: Pick<PendingOrder, 'orderId' | 'order' | 'isFinal'>) => boolean
  readonly orders: () => readonly PendingOrder[]
  readonly find: (orderId: OrderId) => PendingOrder | undefined
  /** No effect if the order is unknown. */
  readonly change: (orderId: OrderId, change: Change) => void
  readonly forget: (orderId: OrderId) => void
}

const MAX_ORDERS = 10_000

/** Holds at most 10,000 orders. A final deposit stays final, even if a repeated notice says otherwise. */
export const createPendingOrders = (): PendingOrders => {
  const entries = new Map<OrderId, PendingOrder>()
  return {
    take: ({ orderId, order, isFinal }) => {
      const known = entries.get(orderId)
      if (known === undefined && entries.size >= MAX_ORDERS) return false
      const fresh = { orderId, order, paidAt: undefined, isRelied: false, lookedAt: undefined }
      entries.set(orderId, {
        ...(known ?? fresh),
        isFinal: isFinal || known?.isFinal === true,
        // A repeated notice means that the service knows neither of a decline nor of a fill.
        declineSentAt: undefined,
        isFillNamed: false,
      })
      return true
    },
    orders: () => [...entries.values()],
    find: (orderId) => entries.get(orderId),
    change: (orderId, change) => {
      const known = entries.get(orderId)
      if (known !== undefined) entries.set(orderId, { ...known, ...change })
    },
    forget: (orderId) => void entries.delete(orderId),
  }
}
