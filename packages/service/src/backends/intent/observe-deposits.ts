import type { IntentDetails, TransferSource } from '@openrfq/sdk'
import { toIso } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Closed } from '../../core/written.ts'
import type { DepositSummary, UncreditedDeposit } from '../../intents/vault/deposit-summary.ts'
import type { OrderPayments } from '../../intents/vault/payment-index.ts'
import { type IntentFacts, type ObservedEvent, observeIntent } from './observe.ts'

/** The progress of a payout that the operator owes: unsigned, sent, or final. */
export type PayoutStanding =
  | { readonly kind: 'none' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'paid'; readonly txHash: string }

/** The facts about an order whose origin is a payment chain, read at one moment. */
export type DepositFacts = {
  readonly deposits: NonNullable<OrderPayments['deposits']>
  readonly filled: ObservedEvent | undefined
  readonly destinationFinalSeconds: number | undefined
  /** The refund of the credited amount to the depositor. */
  readonly refund: PayoutStanding
  /** The returns of uncredited amounts, in the order of `deposits.final.returns`. */
  readonly returns: readonly PayoutStanding[]
}

const sourceOf = ({ originChain }: IntentOrder, account: DepositSummary): TransferSource | undefined =>
  account.source && {
    chain: originChain,
    txHash: account.source.txHash,
    messageId: null,
    timestamp: toIso(account.source.timestampSeconds * 1000),
  }

/** Closed<IntentDetails> for the status about deposits beyond the order's input. */
export const uncreditedDetails = ({
  deposits,
  returns,
}: Pick<DepositFacts, 'deposits' | 'returns'>): Closed<IntentDetails> => {
  const describe = ({ payment, amount, reason }: UncreditedDeposit, index: number) => {
    const standing = returns[index]
    return {
      reason,
      token: payment.token,
      amount: amount.toString(),
      depositTxHash: payment.txHash,
      refundTxHash: standing?.kind === 'paid' ? standing.txHash : null,
    }
  }
  const uncredited = deposits.final.returns.map(describe)
  const held = deposits.final.held.map(({ token, amount }) => ({ token, amount: amount.toString() }))
  const excess = uncredited.find(({ reason }) => reason === 'excess')
  const extra = uncredited.filter((rest) => rest !== excess)
  return {
    ...(excess === undefined ? {} : { excessRefund: excess }),
    ...(extra.length === 0 ? {} : { extraDeposits: extra }),
    ...(held.length === 0 ? {} : { parked: held }),
  }
}

type Refund = {
  readonly order: IntentOrder
  readonly source: TransferSource
  readonly token: string
  readonly amount: bigint
  readonly standing: PayoutStanding
  readonly details: Closed<IntentDetails>
}

/** The refund of the credited deposits, once it is certain that the order will not be filled. */
const refunding = ({ order, source, token, amount, standing, details }: Refund): Observation => {
  if (standing.kind === 'none')
    return { seen: 'refund_decided', source, details: { ...details, stage: 'awaiting_refund' } }
  if (standing.kind === 'sent')
    return { seen: 'refund_sent', source, details: { ...details, stage: 'refund_submitted' } }
  const { txHash } = standing
  return {
    seen: 'refunded',
    source,
    refund: { chain: order.originChain, token, amount: amount.toString(), txHash },
    details: { ...details, stage: 'refunded' },
  }
}

/** The facts of a complete deposit, in the form that every intent is judged by. */
const intentFacts = (facts: DepositFacts): IntentFacts => {
  const { deposits, filled, destinationFinalSeconds, refund } = facts
  const { source } = deposits.seen
  return {
    opened: source && {
      txHash: source.txHash,
      timestampSeconds: source.timestampSeconds,
      final: deposits.final.state === 'complete',
    },
    filled,
    released: undefined,
    refunded:
      refund.kind === 'paid' ? { txHash: refund.txHash, timestampSeconds: 0, final: true } : undefined,
    declined: undefined,
    destinationFinalSeconds,
    isRefundSigned: refund.kind !== 'none',
  }
}

type Deposited = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  readonly source: TransferSource
  readonly facts: DepositFacts
}

/** A deposit that does not cover the input yet. */
const partial = ({ orderId, order, source, facts: { deposits } }: Deposited): Observation => ({
  seen: 'in_flight',
  source,
  details: {
    swapId: orderId,
    stage: 'deposit_partial',
    deposited: deposits.seen.credited.toString(),
    expected: order.inputAmount.toString(),
  },
})

/** Observation for an order with only invalid deposits; reports the first. */
const returned = ({ orderId, order, source, facts }: Deposited): Observation => {
  const [first] = facts.deposits.final.returns
  if (first === undefined)
    return { seen: 'in_flight', source, details: { swapId: orderId, stage: 'deposit_seen' } }
  const { payment, amount, reason } = first
  const standing = facts.returns[0] ?? { kind: 'none' }
  const details = { swapId: orderId, reasonCode: reason, ...uncreditedDetails(facts) }
  return refunding({ order, source, token: payment.token, amount, standing, details })
}

const withDetails = (observation: Observation, more: Closed<IntentDetails>): Observation => ({
  ...observation,
  details: { ...observation.details, ...more },
})

/**
 * Observes an order that is deposited for on a payment chain. Deposits are credited by the vault's rules; a complete
 * deposit is judged like every intent, anything else is refunded. Source: docs/decisions/0014, vault/deposit-summary.
 */
export const observeDeposits = (orderId: OrderId, order: IntentOrder, facts: DepositFacts): Observation => {
  const { seen, final } = facts.deposits
  const source = sourceOf(order, final.source === undefined ? seen : final)
  const rest = uncreditedDetails(facts)
  if (source === undefined) return { seen: 'nothing', details: rest }
  if (final.state === 'complete' || seen.state === 'complete')
    return withDetails(observeIntent(orderId, order, intentFacts(facts)), rest)
  if (final.state === 'short') {
    const details = { swapId: orderId, reasonCode: 'deposit_short' as const, ...rest }
    const { credited: amount } = final
    return refunding({ order, source, token: order.inputToken, amount, standing: facts.refund, details })
  }
  // Before the deadline the right asset may still arrive.
  if (final.state === 'returned' && final.isOver) return returned({ orderId, order, source, facts })
  return withDetails(partial({ orderId, order, source, facts }), rest)
}
