import type { OrderId } from '../../core/intent-order.ts'
import type { Store } from '../../store/store.ts'

/** A refund that was signed and may be mined, the key under which the next one is to be signed, or neither. */
export type RefundEntry =
  | { readonly signed: true }
  | { readonly signed: false; readonly key: string }
  | { readonly signed: false; readonly key: undefined }

/** How often a refund that reverted is tried again before people have to look. */
const MAX_ATTEMPTS = 5

/**
 * Where the refund of an order stands in the outbox. One that reverted, or never can be mined, has moved nothing and is
 * followed by another, at most five times.
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
