import type { SolverMode } from './modes.ts'

/** The facts for a decision on one deposited order. Amounts are already compared; times are ages. */
export type DecisionInput = {
  readonly mode: SolverMode
  /** The escrow according to the origin settler; unknown if either chain could not be read. */
  readonly escrow: 'open' | 'gone' | 'unknown'
  /** Whether the destination settler reports the order as filled. */
  readonly isFilled: boolean
  /** The states of the solver's own transactions for the order, each sent at most once. */
  readonly fill: TransactionState
  readonly decline: TransactionState
  readonly lateAttempt: TransactionState
  readonly shortAttempt: TransactionState
  /** Whether the deposit has the confirmations that the solver asks of its amount. */
  readonly isConfirmed: boolean
  /** Milliseconds since the deposit became deep enough; 0 if it is not. */
  readonly confirmedForMs: number
  /** Whether the service sent a notice of the order; another is never declined, which would cost gas. */
  readonly isAnnounced: boolean
  /** Whether a decline signed now is still in time. */
  readonly mayDecline: boolean
  /** Whether the order names settlers, assets and the account of this solver; another order is never filled. */
  readonly isOurs: boolean
  /** Whether the solver quoted the order's price, or would quote it now; undefined if unknown. */
  readonly isFair: boolean | undefined
  /** Whether the recipient can receive the output; undefined if unknown. */
  readonly isPayable: boolean | undefined
  /** Whether Axelar carries messages between the chains, without which no fill is repaid; undefined if unknown. */
  readonly isCarried: boolean | undefined
  /** Whether the balance of the output asset covers it; undefined if unknown. */
  readonly isCovered: boolean | undefined
  /** For how long the balance has not covered it. */
  readonly uncoveredForMs: number
  readonly hasAllowance: boolean
  /** Seconds until the fill deadline by the destination chain's clock, negative after it; undefined if unknown. */
  readonly secondsLeft: number | undefined
  readonly fillMarginSeconds: number
}

/** The state of an outbox transaction: never signed, not final yet, or final. */
export type TransactionState = 'none' | 'open' | 'succeeded' | 'reverted'

/** Why an order is declined. */
type DeclineReason =
  | 'declining'
  | 'not_ours'
  | 'unfair'
  | 'too_late'
  | 'not_payable'
  | 'not_carried'
  | 'no_inventory'
  | 'fill_reverted'

/** What to do with the order now; `wait` is decided again later, `leave` needs nothing more. */
export type Decision =
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'leave' }
  | { readonly kind: 'fill' | 'attempt_late' | 'attempt_short' }
  | { readonly kind: 'decline'; readonly reason: DeclineReason }

const SLOW_MS = 8_000
/** A balance may be spent in one block and be back in the next. */
const UNCOVERED_GRACE_MS = 5_000

/** Why an order waits that no transaction of this solver's store has filled. */
const ALREADY_FILLED = 'already_filled'

const wait = (reason: string): Decision => ({ kind: 'wait', reason })
const decline = (reason: DeclineReason): Decision => ({ kind: 'decline', reason })

/** Whether the solver has nothing more to do for an order, unless its end leaves the chain. */
export const isEnded = (decision: Decision): boolean =>
  decision.kind === 'leave' || (decision.kind === 'wait' && decision.reason === ALREADY_FILLED)

/**
 * Decides what to do with a deposited order. It is never declined after a fill was signed, unless that fill finally
 * reverted, and never filled after a decline was signed, so that it is never both paid by us and refunded.
 */
export const decide = (facts: DecisionInput): Decision => {
  const { mode, fill, escrow } = facts
  if (fill === 'succeeded') return wait('filled')
  if (fill === 'open') return wait('fill_sent')
  if (facts.isFilled) return wait(ALREADY_FILLED)
  if (escrow === 'gone') return { kind: 'leave' }
  if (facts.decline !== 'none') return wait('declined')
  if (mode === 'paused') return wait('paused')
  if (escrow === 'unknown') return wait('chain_unreadable')
  if (!facts.isConfirmed) return wait('unconfirmed')
  if (mode === 'late') return late(facts)
  if (mode === 'short') return facts.shortAttempt === 'none' ? { kind: 'attempt_short' } : wait('short')
  const decision = decisionOn(facts)
  if (decision.kind !== 'decline') return decision
  // Anybody can open an order that names the solver: its depositor waits for the refund.
  if (mode !== 'declining' && !facts.isAnnounced) return { kind: 'leave' }
  return facts.mayDecline ? decision : wait('decline_too_late')
}

const decisionOn = (facts: DecisionInput): Decision => {
  if (facts.mode === 'declining') return decline('declining')
  return facts.fill === 'reverted' ? decline('fill_reverted') : fillOrDecline(facts)
}

const late = ({ lateAttempt, secondsLeft }: DecisionInput): Decision =>
  secondsLeft !== undefined && secondsLeft < 0 && lateAttempt === 'none'
    ? { kind: 'attempt_late' }
    : wait('late')

const fillOrDecline = (facts: DecisionInput): Decision => {
  const { secondsLeft } = facts
  if (!facts.isOurs) return decline('not_ours')
  if (facts.isFair === undefined) return wait('price_unknown')
  if (!facts.isFair) return decline('unfair')
  if (secondsLeft === undefined) return wait('chain_unreadable')
  if (secondsLeft < facts.fillMarginSeconds) return decline('too_late')
  if (facts.isCarried === undefined) return wait('carriage_unknown')
  if (!facts.isCarried) return decline('not_carried')
  if (facts.isPayable === undefined) return wait('recipient_unreadable')
  if (!facts.isPayable) return decline('not_payable')
  if (facts.isCovered === undefined) return wait('balance_unknown')
  if (!facts.isCovered)
    return facts.uncoveredForMs < UNCOVERED_GRACE_MS ? wait('balance_short') : decline('no_inventory')
  if (!facts.hasAllowance) return wait('allowance_missing')
  if (facts.mode === 'slow' && facts.confirmedForMs < SLOW_MS) return wait('slow')
  return { kind: 'fill' }
}
