import { createHash } from 'node:crypto'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { KeyedPayout } from '../../transactions/payout-outbox.ts'
import { type DepositSummary, isInBalance } from './deposit-summary.ts'

/**
 * The status of an order's fill: not final and still possible (`open`), finally received by the recipient (`filled`),
 * or no longer possible (`impossible`).
 */
export type FillFact = 'open' | 'filled' | 'impossible'

/** A payment that the operator owes from the vault of an order's origin, and its purpose. */
export type Obligation = KeyedPayout & { readonly kind: 'release' | 'refund' | 'return' }

/** Present obligations, and whether the known deposits may lead to more. */
export type Obligations = { readonly owed: readonly Obligation[]; readonly isWaiting: boolean }

/** The key of the payout to an order's solver. */
export const releaseKey = (orderId: OrderId): string => `release:${orderId}`
/** The key of the refund of the credited amount to the depositor. */
export const refundKey = (orderId: OrderId): string => `refund:${orderId}`
/** The key of the payout that returns a deposit, or the uncredited part of one. */
export const returnKey = ({
  chainId,
  txHash,
  position,
}: Pick<Payment, 'chainId' | 'txHash' | 'position'>): string => `return:${chainId}:${txHash}:${position}`

const memoOf = (key: string): string => `0x${createHash('sha256').update(key).digest('hex')}`

/** The memo of the payout that returns a deposit, or the uncredited part of one. */
export const returnMemo = (payment: Pick<Payment, 'chainId' | 'txHash' | 'position'>): string =>
  memoOf(returnKey(payment))

const returning = (payment: Payment, recipient: string, amount: bigint): Obligation => ({
  kind: 'return',
  key: returnKey(payment),
  recipient,
  token: payment.token,
  amount,
  memo: returnMemo(payment),
  notAfterSeconds: undefined,
})

/** Facts about one order from the final state of the chains. */
type OrderFacts = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  readonly deposits: DepositSummary
  readonly fill: FillFact
}

/** The payout of the credited deposits: to the solver or to the depositor, never both. */
const settlementOf = ({ orderId, order, deposits, fill }: OrderFacts): Obligation | undefined => {
  const { inputToken, solver, depositor } = order
  const { state, credited, creditedFrom } = deposits
  const balance = creditedFrom.find((payment) => isInBalance(order, payment))
  const paid = {
    token: inputToken,
    amount: credited,
    memo: orderId,
    notAfterSeconds: undefined,
    ...(balance === undefined ? {} : { claims: balance.to }),
  }
  if (state === 'complete' && fill === 'filled')
    return { kind: 'release', key: releaseKey(orderId), recipient: solver, ...paid }
  if (state === 'short' || (state === 'complete' && fill === 'impossible'))
    return { kind: 'refund', key: refundKey(orderId), recipient: depositor, ...paid }
  return undefined
}

/**
 * The operator's obligations from an order's final deposits. Sums are exact; an obligation is permanent under its key.
 */
export const obligationsOf = (facts: OrderFacts): Obligations => {
  const { order, deposits, fill } = facts
  const settlement = settlementOf(facts)
  const returns = deposits.returns.map(({ payment, amount }) => returning(payment, order.depositor, amount))
  return {
    owed: settlement === undefined ? returns : [settlement, ...returns],
    isWaiting: !deposits.isOver || (deposits.state === 'complete' && fill === 'open'),
  }
}

/** What returning an unmatched deposit of a token takes, in its base units: a lower amount than `minimum` is kept. */
export type UnmatchedTerms = { readonly minimum: bigint; readonly cost: bigint }

/**
 * The obligation from an unmatched deposit: the amount without the cost to its payer; none below the minimum, nor for a token
 * without terms, which the operator cannot send.
 */
export const obligationsOfUnmatched = (payment: Payment, terms: UnmatchedTerms | undefined): Obligations => {
  const { minimum, cost } = terms ?? { minimum: payment.amount + 1n, cost: 0n }
  const left = payment.amount - cost
  const isKept = payment.amount < minimum || left <= 0n
  return { owed: isKept ? [] : [returning(payment, payment.from, left)], isWaiting: false }
}
