import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { repayTo } from '../settlers/attestation.ts'
import type { FillEvidence } from '../settlers/fill-evidence.ts'
import type { OrderEventIndex } from '../settlers/order-event-index.ts'
import type { FillRecord } from '../settlers/order-events.ts'
import type { FillFact } from './obligations.ts'

/** Reads the status of an order's fill; rejects if it cannot be read. */
export type FillFactOf = (orderId: OrderId, order: IntentOrder) => Promise<FillFact>

/** Reads the transaction of a fill on an EVM chain, as far as it is known; rejects if the store cannot be read. */
export type FillTransactionOf = (orderId: OrderId, order: IntentOrder) => Promise<string | undefined>

/** The transactions of fills on EVM chains. */
export const evmFillTransactions =
  (orders: Pick<OrderEventIndex, 'lastKnown'>): FillTransactionOf =>
  async (orderId, { originChain, destinationChain }) =>
    (await orders.lastKnown({ orderId, originChain, destinationChain })).filled?.txHash

/** The account that is credited for a recipient, and the muxed id that the payment must name. */
export const payeeOf = (recipient: string) =>
  accountBehind(recipient) ?? { account: recipient, muxedId: undefined }

/** Whether a payment on the order's destination is its fill: by its filler, exactly as ordered, and in time. */
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

/** The status of a fill, given the time of the newest final block whose payments are all known. */
export const fillFactOf = (
  { fillDeadline }: IntentOrder,
  isFilled: boolean,
  finalSeconds: number | undefined,
): FillFact => {
  if (isFilled) return 'filled'
  return finalSeconds !== undefined && finalSeconds > fillDeadline ? 'impossible' : 'open'
}

/** Whether the event of an AttestedSettler, which delivers exactly what the order's id says, is for its solver's repayment. */
const isForSolver = (order: IntentOrder, { event }: FillRecord): boolean =>
  event.kind === 'attestedFilled' && event.repayTo === repayTo(order)

/** The fills of orders whose destination is an EVM chain, from its settler. */
export const evmFillFacts =
  (orders: Pick<OrderEventIndex, 'lastKnown'>, { isUnfilled }: FillEvidence): FillFactOf =>
  async (orderId, order) => {
    const { originChain, destinationChain } = order
    const { filled } = await orders.lastKnown({ orderId, originChain, destinationChain })
    if (filled !== undefined) return filled.final && isForSolver(order, filled) ? 'filled' : 'open'
    return (await isUnfilled(orderId, order)) ? 'impossible' : 'open'
  }
