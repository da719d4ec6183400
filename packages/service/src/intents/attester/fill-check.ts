import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'

/** An attested order as final blocks of its origin chain show it; `isOpen`: its escrow is still held. */
export type OpenedOrder = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  readonly isOpen: boolean
}

/** Why a payment is not the fill of an order, as text for people; undefined if it is. Times are whole seconds. */
export const whyNoFill = ({ orderId, order }: OpenedOrder, payment: Payment): string | undefined => {
  const payee = accountBehind(order.recipient) ?? { account: order.recipient, muxedId: undefined }
  if (payment.chainId !== order.destinationChain) return 'paid on another chain'
  if (payment.memo !== orderId) return 'paid for another order'
  if (payment.from !== order.filler) return "not paid by the order's filler"
  if (payment.to !== payee.account || payment.muxedId !== payee.muxedId) return 'paid to another recipient'
  if (payment.token !== order.outputToken) return 'paid in another token'
  if (payment.amount !== order.outputAmount) return 'paid another amount'
  if (payment.timestampSeconds > order.fillDeadline) return 'paid after the fill deadline'
  return undefined
}
