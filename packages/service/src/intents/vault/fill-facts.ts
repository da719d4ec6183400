import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { OrderEventIndex } from '../settlers/order-event-index.ts'
import type { FillFact } from './obligations.ts'

/** Finds out how an order's fill stands; rejects when that cannot be read. */
export type FillFactOf = (orderId: OrderId, order: IntentOrder) => Promise<FillFact>

/** The account that a recipient is credited on, and the muxed id the payment has to name. */
const payeeOf = (recipient: string) => accountBehind(recipient) ?? { account: recipient, muxedId: undefined }

/** Whether a payment on the order's destination ledger is its fill: by its filler, exactly as ordered, and in time. */
export const isFillOf = (orderId: OrderId, order: IntentOrder, payment: Payment): boolean => {
  const { account, muxedId } = payeeOf(order.recipient)
  return (
    payment.chainId === order.destinationChain &&
    payment.memo === orderId &&
    payment.from === order.filler &&
    payment.to === account &&
    payment.muxedId === muxedId &&
    payment.token === order.outputToken &&
    payment.amount === order.outputAmount &&
    payment.timestampSeconds <= order.fillDeadline
  )
}

/** What is known of a fill, with the time of the newest final block of its chain whose payments are all known. */
export const fillFactOf = (
  { fillDeadline }: IntentOrder,
  isFilled: boolean,
  finalSeconds: number | undefined,
): FillFact => {
  if (isFilled) return 'filled'
  return finalSeconds !== undefined && finalSeconds > fillDeadline ? 'impossible' : 'open'
}

/** The fills of orders whose destination is an EVM chain, as its settler tells. */
export const evmFillFacts =
  (orders: Pick<OrderEventIndex, 'finalBlock' | 'lastKnown'>): FillFactOf =>
  async (orderId, order) => {
    const { originChain, destinationChain } = order
    // The clock first: the events up to it are then all among the facts.
    const finalSeconds = orders.finalBlock(destinationChain)?.timestampSeconds
    const { filled } = await orders.lastKnown({ orderId, originChain, destinationChain })
    return fillFactOf(order, filled?.final === true, finalSeconds)
  }
