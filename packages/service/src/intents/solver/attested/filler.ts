import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import type { OrderId } from '../../../core/intent-order.ts'
import { type Decision, type DecisionInput, decide } from '../decision.ts'
import { createDeclineGas } from '../decline-gas.ts'
import { createFillTrials, FILL_GAS, type FillTrial } from '../fill-trials.ts'
import { orderKeys } from '../order-keys.ts'
import { createOrderStatusReader } from '../order-statuses.ts'
import { type AskedSettler, createDeclineCheck } from '../status-check.ts'
import type { TransactionStates } from '../transaction-states.ts'
import { createEarlierFills } from './earlier-fills.ts'
import { createEscrowStatuses } from './escrow-statuses.ts'
import { createEscrows } from './escrows.ts'
import { type AttestedExamineDeps, createAttestedExaminer, type Readings } from './examine.ts'
import type { FillNotices } from './fill-notices.ts'
import { createAttestedPayments, type PaymentDeps } from './payments.ts'
import type { PendingOrder, PendingOrders } from './pending-orders.ts'
import type { Repayments } from './repayments.ts'
import { isRefundedByOperator } from './sides.ts'

type AttestedFillerDeps = AttestedExamineDeps &
  PaymentDeps & {
    readonly pendingOrders: PendingOrders
    readonly states: TransactionStates
    /** Keeps orders of escrow programs until they are released. */
    readonly repayments: Pick<Repayments, 'add'>
    /** Names fills on payment chains to the service. */
    readonly notices: Pick<FillNotices, 'add' | 'round'>
    /** Notifies the service that an order will not be filled; false if the message was not sent. */
    readonly sayDeclined: (orderId: OrderId, reason: string) => boolean
    /** Called once for each declined order. */
    readonly onDeclined: () => void
  }

/** Fills and declines attested orders. */
export type AttestedFiller = {
  /** Runs one round over all orders; rejects only if the store fails. */
  readonly round: () => Promise<void>
}

/** The deposit is not confirmed yet. */
const UNTRIED: FillTrial = { isPayable: undefined, gasLimit: FILL_GAS }
const PAID_LOOK_MS = 5_000
/** A paid order is kept until every balance read reflects it. */
const PAID_KEPT_MS = 60_000
const SAY_AGAIN_MS = 30_000
const OVERDUE_KEPT_MS = 3_600_000
const KEPT_AT_MOST_MS = 86_400_000

/** The settlers of the EVM chains among the sides. */
const askedSettlers = ({ sides }: AttestedFillerDeps): ReadonlyMap<ChainId, AskedSettler> =>
  new Map(
    [...sides.values()].flatMap((side) =>
      side.kind === 'evm' ? [[side.chainId, { ...side, kind: 'attested' }] as const] : [],
    ),
  )

/** Drops orders that are over; their repayments are followed elsewhere. */
const createEnds = ({ pendingOrders, states, now, steady }: AttestedFillerDeps) => {
  const isOverdue = ({ orderId, order }: PendingOrder): boolean => {
    const lateMs = now() - order.fillDeadline * 1000
    return states.known(orderKeys(orderId).fill) === 'open'
      ? lateMs > KEPT_AT_MOST_MS
      : lateMs > OVERDUE_KEPT_MS
  }
  return (entry: PendingOrder, { kind }: Decision): void => {
    const isOver =
      entry.paidAt === undefined
        ? kind === 'leave' || isOverdue(entry)
        : steady() - entry.paidAt > PAID_KEPT_MS
    if (isOver) pendingOrders.forget(entry.orderId)
  }
}

/** Reads the status of orders from their chains. */
const createReader = (deps: AttestedFillerDeps) => {
  const { sides, states, pendingOrders, log } = deps
  const trials = createFillTrials(deps)
  const escrows = createEscrows({ ...deps, now: deps.steady })
  const findEarlierFill = createEarlierFills({
    ...deps,
    onFound: async ({ orderId, order }, fillTxHash) => {
      deps.notices.add({ orderId, order, fillTxHash })
      if (!isRefundedByOperator(sides, order.originChain))
        await deps.repayments.add({ orderId, order, fillTxHash })
    },
  })
  const readStatuses = createOrderStatusReader(askedSettlers(deps), { now: deps.steady, log })
  const readEscrows = createEscrowStatuses(deps)

  const tryFill = async ({ orderId, order }: PendingOrder): Promise<FillTrial> => {
    const side = sides.get(order.destinationChain)
    const fill = states.known(orderKeys(orderId).fill)
    if (fill === 'reverted') trials.reverted(orderId, order)
    if (side === undefined || fill !== 'none') return { isPayable: true, gasLimit: FILL_GAS }
    if (side.kind === 'evm') return trials.attempt(orderId, order, side)
    try {
      const { recipient, outputToken, outputAmount } = order
      const why = await side.paymentChain.agreedWhyNotPayable(recipient, outputToken, outputAmount)
      return { isPayable: why === undefined, gasLimit: FILL_GAS }
    } catch (error) {
      log('warn', 'recipient_read_failed', { chainId: side.chainId, error })
      return { isPayable: undefined, gasLimit: FILL_GAS }
    }
  }

  /** Read before the deposit is confirmed, while the prices that the solver published are remembered. */
  const readOpeningRent = async ({ orderId, order }: PendingOrder): Promise<bigint | undefined> => {
    const side = sides.get(order.destinationChain)
    if (side?.kind !== 'payment' || states.known(orderKeys(orderId).fill) !== 'none') return 0n
    try {
      return await side.paymentChain.openingRent(order.recipient, order.outputToken)
    } catch (error) {
      log('warn', 'recipient_read_failed', { chainId: side.chainId, error })
      return undefined
    }
  }

  return async (
    entries: readonly PendingOrder[],
  ): Promise<readonly (readonly [PendingOrder, Readings])[]> => {
    trials.keep((orderId) => pendingOrders.find(orderId) !== undefined)
    const [statusesOf, escrowOf] = await Promise.all([readStatuses(entries), readEscrows(entries)])
    return Promise.all(
      entries.map(async (entry) => {
        const { orderId } = entry
        const { origin, destination } = statusesOf(orderId)
        const statuses = { origin: escrowOf(orderId) ?? origin, destination }
        const deposit = await escrows.look(entry, statuses.origin)
        const earlierFill = deposit.isConfirmed ? await findEarlierFill(entry) : 'none'
        const trial = deposit.isConfirmed ? await tryFill(entry) : UNTRIED
        const openingRent = await readOpeningRent(entry)
        return [entry, { statuses, deposit, ...trial, openingRent, earlierFill }] as const
      }),
    )
  }
}

/** Sends messages and signs transactions for a decision. */
const createActs = (deps: AttestedFillerDeps) => {
  const { sides, states, pendingOrders, repayments, log, now, steady } = deps
  const payments = createAttestedPayments(deps)
  const mayDecline = createDeclineCheck(askedSettlers(deps), { now: steady, log })
  const declineGas = createDeclineGas(deps)

  const say = ({ orderId }: PendingOrder, reason: string): void => {
    if (deps.sayDeclined(orderId, reason)) pendingOrders.change(orderId, { declineSentAt: steady() })
  }
  const decline = async (entry: PendingOrder, reason: string): Promise<void> => {
    const { orderId, order } = entry
    if (!(await mayDecline(orderId, order))) return
    const side = sides.get(order.originChain)
    const gasLimit = side?.kind === 'evm' ? await declineGas(side.evm, orderId, order) : 0n
    if (gasLimit === undefined) return
    log('info', 'order_declined', { orderId, reason })
    // Stored or signed before it is sent: a declined order must never be paid.
    if (side?.kind === 'payment') {
      await states.addDeclinedOrder({ orderId, declinedAt: now() })
      await payments.refund(entry)
    } else await payments.decline(entry, gasLimit)
    deps.onDeclined()
    say(entry, reason)
  }
  const sayAgain = (entry: PendingOrder): void => {
    const { orderId, order, declineSentAt } = entry
    const isDeclinedByMessage = isRefundedByOperator(sides, order.originChain)
    if (now() > order.fillDeadline * 1000) return
    if (!isDeclinedByMessage || states.known(orderKeys(orderId).decline) === 'none') return
    if (steady() - (declineSentAt ?? Number.NEGATIVE_INFINITY) >= SAY_AGAIN_MS) say(entry, 'declined before')
  }
  /** An escrow is released only to a solver that still knows the order and hands its fill over. */
  const fill = async (entry: PendingOrder, gasLimit: bigint): Promise<void> => {
    const { orderId, order } = entry
    if (!isRefundedByOperator(sides, order.originChain))
      await repayments.add({ orderId, order, fillTxHash: undefined })
    await payments.fill(entry, gasLimit)
  }
  /** A declined order is refunded until its escrow is seen to be paid out. */
  const refundAgain = (entry: PendingOrder, { deposit }: Readings): Promise<void> | undefined =>
    states.known(orderKeys(entry.orderId).decline) === 'succeeded' && deposit.isConfirmed
      ? payments.refund(entry)
      : undefined
  return async (entry: PendingOrder, decision: Decision, readings: Readings): Promise<void> => {
    switch (decision.kind) {
      case 'fill':
        return fill(entry, readings.gasLimit)
      case 'attempt_late':
        return payments.attemptLate(entry)
      case 'attempt_short':
        return payments.attemptShort(entry)
      case 'decline':
        return decline(entry, decision.reason)
      default:
        sayAgain(entry)
        return refundAgain(entry, readings)
    }
  }
}

/**
 * Decides on each attested order from fresh readings, by the same rules as on all others. An order is paid under one
 * permanent key, never after it was declined, and never declined after a payment was signed, unless that provably
 * failed.
 */
export const createAttestedFiller = (deps: AttestedFillerDeps): AttestedFiller => {
  const { sides, pendingOrders, states, repayments, notices, steady } = deps
  const { examine, prune } = createAttestedExaminer(deps)
  const read = createReader(deps)
  const act = createActs(deps)
  const endIfOver = createEnds(deps)

  const lookUp = ({ orderId, order }: PendingOrder): Promise<unknown> => {
    const { fill, late, short, decline } = orderKeys(orderId)
    const { lookUpTransaction, lookUpPayout, lookUpDeclinedOrder } = states
    return Promise.all([
      ...(chainTypeOf(order.destinationChain) === 'evm'
        ? [fill, late, short].map(lookUpTransaction)
        : [lookUpPayout(fill)]),
      chainTypeOf(order.originChain) === 'evm' ? lookUpTransaction(decline) : lookUpDeclinedOrder(orderId),
    ])
  }

  /** A paid order is only checked for its repayment. */
  const isDue = ({ paidAt, lookedAt, order }: PendingOrder): boolean =>
    paidAt === undefined ||
    isRefundedByOperator(sides, order.originChain) ||
    steady() - (lookedAt ?? Number.NEGATIVE_INFINITY) >= PAID_LOOK_MS

  const note = async (
    { orderId, order, paidAt, isFillNamed }: PendingOrder,
    { escrow, isConfirmed, isFilled, fill }: DecisionInput,
  ): Promise<void> => {
    const isPaid = isFilled || fill === 'succeeded'
    if (fill === 'succeeded' && !isFillNamed && sides.get(order.destinationChain)?.kind === 'payment')
      pendingOrders.change(orderId, { isFillNamed: notices.add({ orderId, order, fillTxHash: undefined }) })
    // Earlier versions kept no claim of a fill for an EVM chain.
    if (fill === 'succeeded' && paidAt === undefined && sides.get(order.originChain)?.kind === 'evm')
      await repayments.add({ orderId, order, fillTxHash: undefined })
    pendingOrders.change(orderId, {
      lookedAt: steady(),
      isRelied: escrow === 'open' && isConfirmed,
      ...(isPaid && paidAt === undefined ? { paidAt: steady() } : {}),
    })
  }

  return {
    round: async () => {
      await notices.round()
      const due = pendingOrders.orders().filter(isDue)
      if (due.length === 0) return prune()
      await Promise.all(due.map(lookUp))
      const acts: Promise<void>[] = []
      for (const [entry, readings] of await read(due)) {
        const facts = examine(entry, readings)
        const decision = decide(facts)
        await note(entry, facts)
        acts.push(act(entry, decision, readings))
        endIfOver(entry, decision)
      }
      await Promise.all(acts)
      prune()
    },
  }
}
