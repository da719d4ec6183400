import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'

const SHARED_BITS = 16n
const SHARED_DIGITS = 4

/**
 * The muxed id, below 2^64, of a deposit on Stellar: 48 bits of the milliseconds at which the order was quoted, then
 * the first 16 bits of its id, which distinguish orders quoted in the same millisecond.
 */
export const depositMuxedId = (createdAt: Instant, orderId: OrderId): bigint =>
  (BigInt(createdAt) << SHARED_BITS) | BigInt(`0x${orderId.slice(2, 2 + SHARED_DIGITS)}`)

/** Whether a muxed id can be that of an order: it ends with the first 16 bits of the order's id. */
export const isReferenceOf = (muxedId: bigint, orderId: OrderId): boolean =>
  depositMuxedId(quotedAt(muxedId), orderId) === muxedId

/** When the order of a muxed id was quoted. */
export const quotedAt = (muxedId: bigint): Instant => Number(muxedId >> SHARED_BITS)
