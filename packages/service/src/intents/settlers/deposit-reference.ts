import type { Instant } from '../../core/instant.ts'
import { OrderId } from '../../core/intent-order.ts'
import { isQuoteId, type QuoteId } from '../../core/quote-id.ts'

/** What a deposit into a vault says about itself: the answer that it was quoted in, and its order. */
export type DepositMemo = { readonly answerId: QuoteId; readonly orderId: OrderId }

/** The memo of a deposit on Solana. */
export const depositMemo = ({ answerId, orderId }: DepositMemo): string => `${answerId} ${orderId}`

/** What a memo refers to, or undefined when it was not written for a deposit. */
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
 * The muxed id, below 2^64, that a deposit on Stellar is told from others by: 48 bits of the milliseconds at which the
 * order was quoted, then the first 16 bits of its id. Orders quoted in the same millisecond are told apart by those.
 */
export const depositMuxedId = (createdAt: Instant, orderId: OrderId): bigint =>
  (BigInt(createdAt) << SHARED_BITS) | BigInt(`0x${orderId.slice(2, 2 + SHARED_DIGITS)}`)

/** When the order of a muxed id was quoted. */
export const quotedAt = (muxedId: bigint): Instant => Number(muxedId >> SHARED_BITS)
