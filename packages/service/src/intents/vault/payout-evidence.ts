import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { DepositSummary } from './deposit-summary.ts'
import { type Obligation, returnKey } from './obligations.ts'
import type { DepositPlace, PayoutEvidence } from './payout-request.ts'

const placeOf = ({ txHash, from }: Payment): DepositPlace => ({ txHash, from })

/** Where a co-signer finds the deposits that an order's obligation rests on; `fill` is the transaction of a release's fill. */
export const orderEvidence = (
  { kind, key }: Obligation,
  order: IntentOrder,
  { creditedFrom, returns }: Pick<DepositSummary, 'creditedFrom' | 'returns'>,
  fill: string | undefined,
): PayoutEvidence => {
  const returned = returns.find(({ payment }) => kind === 'return' && returnKey(payment) === key)
  const places = [...(returned === undefined ? [] : [returned.payment]), ...creditedFrom].map(placeOf)
  const unique = new Map(places.map((place) => [`${place.txHash} ${place.from}`, place]))
  return { kind: 'order', order, deposits: [...unique.values()], ...(fill === undefined ? {} : { fill }) }
}

/** Where a co-signer finds a deposit that names no order, and how much of it is kept for the cost of its return. */
export const unmatchedEvidence = (payment: Payment, kept: bigint): PayoutEvidence => ({
  kind: 'unmatched',
  deposit: { ...placeOf(payment), position: payment.position },
  kept: baseUnits(kept),
})
