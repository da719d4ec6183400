import type { Payment } from '../../core/payment.ts'
import type { Payout } from '../../core/payout.ts'
import type { StoredPayout } from '../../store/store.ts'
import { payeeOf } from './fill-facts.ts'

/** Whether a payment went to the payout's payee, in its token and amount. */
export const paysAs = (payment: Payment, { recipient, token, amount }: Payout): boolean => {
  const payee = payeeOf(recipient)
  return (
    payment.to === payee.account &&
    payment.muxedId === payee.muxedId &&
    payment.token === token &&
    payment.amount === amount
  )
}

/**
 * Whether a payment of the payout's chain and payer is the signed payout, under any of its signatures, or under another
 * hash: on Stellar anybody can wrap a signed payment in a fee bump, which has a hash of its own.
 */
export const isPaymentOf = (payment: Payment, payout: StoredPayout): boolean =>
  [payout.txHash, ...payout.earlierTxHashes].includes(payment.txHash) ||
  (payment.memo === payout.memo && paysAs(payment, payout))
