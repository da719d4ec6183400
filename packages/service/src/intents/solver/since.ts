import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'

/** Remembers since when orders have been in some condition, until they are let go of. */
export const createSince = (now: () => Instant) => {
  const marks = new Map<OrderId, Instant>()
  return {
    forMs: (orderId: OrderId, holds: boolean): number => {
      if (!holds) marks.delete(orderId)
      else if (!marks.has(orderId)) marks.set(orderId, now())
      return holds ? now() - (marks.get(orderId) ?? now()) : 0
    },
    keep: (isKept: (orderId: OrderId) => boolean): void => {
      for (const orderId of marks.keys()) if (!isKept(orderId)) marks.delete(orderId)
    },
  }
}
