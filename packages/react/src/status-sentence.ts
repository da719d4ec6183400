import { isSettled, type Status } from '@openrfq/sdk'

const SENTENCES: Readonly<Record<string, string>> = {
  AWAITING_DEPOSIT: 'Waiting for the payment.',
  PENDING: 'Paid. The delivery follows.',
  DONE: 'Done. The recipient has the money.',
  REFUND_PENDING: 'It could not be delivered. The refund is due.',
  REFUND_INITIATED: 'It could not be delivered. The refund is on its way.',
  REFUNDED: 'It could not be delivered. The money is back.',
  FAILED: 'The transfer failed.',
  NOT_FOUND: 'This service does not know the transfer.',
}

const NOT_FINAL = 'Arrived. It is done when the block is final.'
const REVERTED = 'The chain took the delivery back. It follows again, or a refund.'

/** What a status means to the person who waits; the state itself where this version does not know it. */
export const statusSentence = (status: Status): string => {
  const { state, details } = status
  if (state !== 'DONE' || isSettled(status)) return SENTENCES[state] ?? state
  return details.deliveryReverted === true ? REVERTED : NOT_FINAL
}
