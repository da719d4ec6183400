import type { IntentOrder } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'

/** The operator's rules for deposits that differ from the quote. */
export type DepositTerms = {
  /** How long after an order's `openDeadline`, by the chain's clock, a deposit is still credited. */
  readonly graceSeconds: number
  /**
   * The least amount of a token, in base units, that is sent back, or undefined for a token that the operator cannot
   * send; smaller amounts are held.
   */
  readonly dustOf: (token: string) => bigint | undefined
}

/** Why a deposit, or a part of it, is not credited. */
type ReturnReason = 'excess' | 'second' | 'late' | 'wrong_asset'

/** A deposit, or the part of one that is not credited to the order, in base units of its token. */
export type UncreditedDeposit = {
  readonly payment: Payment
  readonly amount: bigint
  readonly reason: ReturnReason
}

/**
 * The total of the deposits for one order. `nothing`: none, or dust; `partial`: more may come; `complete`: exactly the
 * input is credited; `short`: the deadline has passed with less than the input; `returned`: nothing is credited,
 * because what came was late or another asset. Per token, `credited` (of the input token), `returns` and `held` add up
 * to what was deposited.
 */
export type DepositSummary = {
  readonly state: 'nothing' | 'partial' | 'complete' | 'short' | 'returned'
  readonly credited: bigint
  /** The deposits that make up `credited`. */
  readonly creditedFrom: readonly Payment[]
  /** The first credited deposit; otherwise the first to be returned. */
  readonly source: Payment | undefined
  /** The deposit with which the sum reached the input. */
  readonly completedBy: Payment | undefined
  /** Refunded separately; amounts are final. */
  readonly returns: readonly UncreditedDeposit[]
  /** Below dust, or of a token that cannot be sent. */
  readonly held: readonly (Pick<UncreditedDeposit, 'amount'> & Pick<Payment, 'token'>)[]
  /** Whether no future payment can be credited to the order. */
  readonly isOver: boolean
}

const keyOf = ({ chainId, txHash, position }: Payment): string => `${chainId} ${txHash} ${position}`

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** By block, transaction and position; for payments of final blocks this order is stable. */
const comparePayments = (one: Payment, other: Payment): number =>
  Number(one.blockNumber - other.blockNumber) ||
  compareText(one.txHash, other.txHash) ||
  one.position - other.position

/** Unique payments in chain order, however they were read. */
const inOrder = (payments: readonly Payment[]): readonly Payment[] =>
  [...new Map(payments.map((payment) => [keyOf(payment), payment])).values()].sort(comparePayments)

type Division = {
  readonly sum: bigint
  readonly crediting: readonly Payment[]
  readonly uncredited: readonly UncreditedDeposit[]
}

/** Whether a deposit is in a claimable balance rather than in the vault. */
export const isInBalance = (
  { originSettler }: Pick<IntentOrder, 'originSettler'>,
  { to }: Payment,
): boolean => to !== originSettler

/**
 * The balance that is the order's whole deposit: the first in time, unless the vault had received the input before it.
 * Smaller payments of others before it change nothing.
 */
const balanceOf = (
  order: IntentOrder,
  lastSecond: number,
  payments: readonly Payment[],
): Payment | undefined => {
  let sum = 0n
  for (const payment of payments) {
    if (sum >= order.inputAmount || payment.timestampSeconds > lastSecond) return undefined
    if (isInBalance(order, payment)) return payment
    if (payment.token === order.inputToken) sum += payment.amount
  }
  return undefined
}

/** The payments into the vault, without those that only announce a balance. */
const intoVault = (order: IntentOrder, payments: readonly Payment[]): readonly Payment[] => {
  const announced = new Set(
    payments.filter((payment) => isInBalance(order, payment)).map(({ txHash }) => txHash),
  )
  return payments.filter(
    (payment) => !isInBalance(order, payment) && !(payment.amount === 1n && announced.has(payment.txHash)),
  )
}

const divide = (order: IntentOrder, lastSecond: number, payments: readonly Payment[]): Division => {
  const balance = balanceOf(order, lastSecond, payments)
  const paid = divideVault(order, lastSecond, intoVault(order, payments), balance !== undefined)
  return balance === undefined ? paid : { ...paid, sum: order.inputAmount, crediting: [balance] }
}

const divideVault = (
  { inputToken, inputAmount }: IntentOrder,
  lastSecond: number,
  payments: readonly Payment[],
  isCovered: boolean,
): Division => {
  const crediting: Payment[] = []
  const uncredited: UncreditedDeposit[] = []
  let sum = isCovered ? inputAmount : 0n
  for (const payment of payments) {
    const { amount, token, timestampSeconds } = payment
    const missing = inputAmount - sum
    if (token !== inputToken) uncredited.push({ payment, amount, reason: 'wrong_asset' })
    else if (timestampSeconds > lastSecond) uncredited.push({ payment, amount, reason: 'late' })
    else if (missing === 0n) uncredited.push({ payment, amount, reason: 'second' })
    else {
      crediting.push(payment)
      sum += amount < missing ? amount : missing
      if (amount > missing) uncredited.push({ payment, amount: amount - missing, reason: 'excess' })
    }
  }
  return { sum, crediting, uncredited }
}

const stateOf = (
  { sum, crediting }: Division,
  returns: readonly UncreditedDeposit[],
  context: { readonly isDust: boolean; readonly isComplete: boolean; readonly isOver: boolean },
): DepositSummary['state'] => {
  if (context.isComplete) return 'complete'
  if (crediting.length > 0 && sum > 0n && !context.isDust) return context.isOver ? 'short' : 'partial'
  return returns.length > 0 ? 'returned' : 'nothing'
}

/**
 * Summarizes deposits exactly, independent of their number and read order. With the final payments up to `finalSeconds`
 * (the time of the newest final block, undefined while unknown) the result may move money; with tentative ones it is
 * for display. Source: docs/decisions/0014-deposits-not-as-quoted.md.
 */
export const summarizeDeposits = ({
  order,
  deposits,
  finalSeconds,
  terms: { graceSeconds, dustOf },
}: {
  readonly order: IntentOrder
  readonly deposits: readonly Payment[]
  readonly finalSeconds: number | undefined
  readonly terms: DepositTerms
}): DepositSummary => {
  const lastSecond = order.openDeadline + graceSeconds
  const isOver = finalSeconds !== undefined && finalSeconds > lastSecond
  const division = divide(order, lastSecond, inOrder(deposits))
  const { sum, crediting, uncredited } = division
  const isWorthwhile = (token: string, amount: bigint): boolean => {
    const dust = dustOf(token)
    return dust !== undefined && amount >= dust
  }
  const returns = uncredited.filter(({ payment, amount }) => isWorthwhile(payment.token, amount))
  const held = uncredited
    .filter((rest) => !returns.includes(rest))
    .map(({ payment, amount }) => ({ token: payment.token, amount }))
  const isComplete = sum === order.inputAmount
  const isDust = !isWorthwhile(order.inputToken, sum)
  const isGivenUp = isOver && isDust && !isComplete && sum > 0n
  const state = stateOf(division, returns, { isDust, isComplete, isOver })
  return {
    state,
    credited: isGivenUp ? 0n : sum,
    creditedFrom: isGivenUp ? [] : crediting,
    source: state === 'nothing' || state === 'returned' ? returns[0]?.payment : crediting[0],
    completedBy: isComplete ? crediting.at(-1) : undefined,
    returns,
    held: isGivenUp ? [...held, { token: order.inputToken, amount: sum }] : held,
    isOver: isOver || isComplete,
  }
}
