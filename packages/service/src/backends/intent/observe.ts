import type { IntentDetails, IntentStage, TransferSource } from '@openrfq/sdk'
import { toIso } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Closed } from '../../core/written.ts'

/** A settler event of the order; `final`: in a final block. */
export type ObservedEvent = {
  readonly txHash: string
  /** Of the block, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  readonly final: boolean
}

/** `filler`: who paid the recipient, where another account than the order's filler may. */
export type ObservedFill = ObservedEvent & { readonly filler?: string | undefined }

/** The facts about one order, read at one moment. */
export type IntentFacts = {
  readonly opened: ObservedEvent | undefined
  readonly filled: ObservedFill | undefined
  /** The solver was repaid, or is to be, which proves a fill. */
  readonly released: Pick<ObservedEvent, 'final'> | undefined
  readonly refunded: ObservedEvent | undefined
  readonly declined: ObservedEvent | undefined
  /** Time of the newest final block of the destination chain whose events are included in these facts. */
  readonly destinationFinalSeconds: number | undefined
  /** Whether the service has signed a refund that may still be mined. */
  readonly isRefundSigned: boolean
}

/** The deposit as the status shows it; it has no Axelar message. */
export const sourceOf = (
  order: IntentOrder,
  opened: Pick<ObservedEvent, 'txHash' | 'timestampSeconds'>,
): TransferSource => ({
  chain: order.originChain,
  txHash: opened.txHash,
  messageId: null,
  timestamp: toIso(opened.timestampSeconds * 1000),
})

/** Why an order is refunded. */
const reasonOf = ({ declined }: IntentFacts): 'declined' | 'not_filled' =>
  declined === undefined ? 'not_filled' : 'declined'

/** An order with a deposit; `details` hold in every state. */
type Deposited = {
  readonly order: IntentOrder
  readonly source: TransferSource
  readonly facts: IntentFacts
  readonly details: Closed<IntentDetails>
}

/** State and details of an order with a final deposit whose refund has been sent. */
const refunding = ({ order, source, facts, details }: Deposited): Observation => {
  const { refunded } = facts
  const reasoned = { ...details, reasonCode: reasonOf(facts) }
  const sent = (stage: IntentStage, more: Closed<IntentDetails> = {}): Observation => ({
    seen: 'refund_sent',
    source,
    details: { ...reasoned, stage, ...more },
  })
  if (refunded === undefined) return sent('refund_submitted')
  if (!refunded.final) return sent('refund_not_final', { refundTxHash: refunded.txHash })
  return {
    seen: 'refunded',
    source,
    refund: {
      chain: order.originChain,
      token: order.inputToken,
      amount: order.inputAmount.toString(),
      txHash: refunded.txHash,
    },
    details: { ...reasoned, stage: 'refunded' },
  }
}

/** Whether every block in which the order could be filled is final, and none contains a fill. */
export const isFillOver = (
  { fillDeadline }: Pick<IntentOrder, 'fillDeadline'>,
  { destinationFinalSeconds }: Pick<IntentFacts, 'destinationFinalSeconds'>,
): boolean => destinationFinalSeconds !== undefined && destinationFinalSeconds > fillDeadline

/** The stage of an order with a deposit and no final fill. */
const waiting = (deposited: Deposited): Observation => {
  const { order, source, facts, details } = deposited
  const { opened, filled, released, refunded, declined } = facts
  const inFlight = (stage: IntentStage, more: Closed<IntentDetails> = {}): Observation => ({
    seen: 'in_flight',
    source,
    details: { ...details, stage, ...more },
  })
  if (opened?.final !== true) {
    if (filled !== undefined) return inFlight('filled_not_final', { fillTxHash: filled.txHash })
    return inFlight(declined === undefined ? 'deposit_seen' : 'declined_not_final')
  }
  const isOver = isFillOver(order, facts)
  if (facts.isRefundSigned || refunded?.final === true || (refunded !== undefined && isOver))
    return refunding(deposited)
  if (filled !== undefined) return inFlight('filled_not_final', { fillTxHash: filled.txHash })
  if (declined !== undefined || refunded !== undefined) return inFlight('declined_not_final')
  if (released !== undefined) return inFlight('fill_proven')
  if (isOver)
    return {
      seen: 'refund_decided',
      source,
      details: { ...details, stage: 'awaiting_refund', reasonCode: 'not_filled' },
    }
  return inFlight('deposit_final')
}

const filledByOf = (order: IntentOrder, { filler }: ObservedFill): Closed<IntentDetails> =>
  filler === undefined || filler === order.filler ? {} : { filledBy: filler }

/**
 * Observes an order. A final fill is a delivery, regardless of all other events. A refund is decided only if the deposit is
 * final and the order can no longer be filled: its fill deadline lies behind the destination's final blocks, or its
 * refund is final. A decline that is not final decides nothing: a reorg may drop it and let the order be filled.
 * Source: DESIGN.md "Transfer states".
 */
export const observeIntent = (orderId: OrderId, order: IntentOrder, facts: IntentFacts): Observation => {
  const { opened, filled } = facts
  if (opened === undefined)
    return { seen: 'nothing', details: filled === undefined ? {} : { stage: 'filled_without_deposit' } }
  const source = sourceOf(order, opened)
  const details = {
    swapId: orderId,
    solver: order.solver,
    fillDeadline: toIso(order.fillDeadline * 1000),
    refundAfter: toIso(order.refundAfter * 1000),
  }
  if (filled?.final !== true) return waiting({ order, source, facts, details })
  return {
    seen: 'delivered',
    source,
    destination: {
      chain: order.destinationChain,
      txHash: filled.txHash,
      timestamp: toIso(filled.timestampSeconds * 1000),
    },
    output: {
      chain: order.destinationChain,
      token: order.outputToken,
      amount: order.outputAmount.toString(),
    },
    details: { ...details, ...filledByOf(order, filled), stage: 'delivered' },
  }
}
