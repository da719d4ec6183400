import type { Instant } from '../../core/instant.ts'
import { OrderId } from '../../core/intent-order.ts'
import { isQuoteId, type QuoteId } from '../../core/quote-id.ts'

/** What a deposit into a vault refers to: the answer it was quoted in, and its order. */
export type DepositMemo = { readonly answerId: QuoteId; readonly orderId: OrderId }

/** The memo of a deposit on Solana. */
export const depositMemo = ({ answerId, orderId }: DepositMemo): string => `${answerId} ${orderId}`

/** Parses a deposit's memo; undefined for any other memo. */
export const readDepositMemo = (memo: string): DepositMemo | undefined => {
  const [answerId = '', orderId, ...rest] = memo.split(' ')
  const order = OrderId.safeParse(orderId)
  return rest.length === 0 && isQuoteId(answerId) && order.success
    ? { answerId, orderId: order.data }
    : undefined
}

const SHARED_BITS = 16n
const SHARED_DIGITS = 4

/**
 * The muxed id, below 2^64, of a deposit on Stellar: 48 bits of the milliseconds at which the order was quoted, then
 * the first 16 bits of its id, which distinguish orders quoted in the same millisecond.
 */
export const depositMuxedId = (createdAt: Instant, orderId: OrderId): bigint =>
  (BigInt(createdAt) << SHARED_BITS) | BigInt(`0x${orderId.slice(2, 2 + SHARED_DIGITS)}`)

/** When the order of a muxed id was quoted. */
export const quotedAt = (muxedId: bigint): Instant => Number(muxedId >> SHARED_BITS)
