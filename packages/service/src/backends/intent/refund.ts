import type { OrderId } from '../../core/intent-order.ts'
import type { Store } from '../../store/store.ts'

/** A signed refund that may be mined, the key for the next attempt, or neither. */
export type RefundEntry =
  | { readonly signed: true }
  | { readonly signed: false; readonly key: string }
  | { readonly signed: false; readonly key: undefined }

/** How often a reverted refund is retried before an operator has to intervene. */
const MAX_ATTEMPTS = 5

/**
 * Finds the state of an order's refund. An attempt that reverted or can never be mined has moved nothing and is
 * followed by another, five at most.
 */
export const findRefundEntry = async (
  store: Pick<Store, 'findOutboxEntry'>,
  orderId: OrderId,
): Promise<RefundEntry> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const key = `refund:${orderId}:${attempt}`
    const entry = await store.findOutboxEntry(key)
    if (entry === undefined) return { signed: false, key }
    if (entry.outcome === 'open' || entry.outcome === 'succeeded') return { signed: true }
  }
  return { signed: false, key: undefined }
}
