import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import type { KeyedCall, TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { declineCall, fillCall, type SettlerCall } from '../settlers/settler-contract.ts'
import { type Decision, decide } from './decision.ts'
import { createExaminer, type ExamineDeps, type Examiner } from './examine.ts'
import { createFillTrials, FILL_GAS, type FillTrial, type FillTrials } from './fill-trials.ts'
import { orderKeys } from './order-keys.ts'
import { createOrderStatusReader, type OrderStatuses } from './order-statuses.ts'
import type { OrderTracker, TrackedOrder } from './order-tracker.ts'
import { type AskedSettler, createDeclineCheck } from './status-check.ts'
import { createSubmitter } from './submitter.ts'
import type { TransactionStates } from './transaction-states.ts'

type FillerDeps = ExamineDeps & {
  readonly tracker: Pick<OrderTracker, 'orders' | 'find' | 'drop'>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly states: TransactionStates
  /** Whether the chain has been read up to its head; orders on other chains must wait. */
  readonly isCurrent: (chainId: ChainId) => boolean
  readonly onDeclined: (orderId: OrderId, reason: string) => void
  readonly log: Log
}

/** Fills and declines orders. */
export type Filler = {
  /** Runs one round over all orders; rejects only if the store fails. */
  readonly round: () => Promise<void>
}

/** Gas limit of a decline: an AttestedSettler requires 404,761 left before it pays. Source: contracts/attested/Payments.sol. */
export const DECLINE_GAS = 600_000n
const SELECTOR_DIGITS = 10
const WORD_DIGITS = 64

/** A fill that would pay one unit less than promised. It carries the true order's id, so the settler rejects it. */
const shortFillCall = (order: IntentOrder): SettlerCall => {
  const less = order.outputAmount - 1n
  // CAST: less than an amount and at least zero.
  const short = fillCall({ ...order, outputAmount: less as IntentOrder['outputAmount'] })
  const honest = fillCall(order).data.slice(0, SELECTOR_DIGITS + WORD_DIGITS)
  return { data: honest + short.data.slice(SELECTOR_DIGITS + WORD_DIGITS), value: short.value }
}

/** Whether the order may still need an action. */
const isUnfinished = ({ opened, filled }: TrackedOrder): boolean =>
  opened !== undefined && filled === undefined

/** What is remembered as left; more than the orders that are tracked. */
const MAX_LEFT = 200_000
/** How long a notice of an order that was left is waited for. */
const LEFT_KEPT_MS = 600_000

/**
 * The orders that nobody announced and that are left. Looking at each in every round would let anybody keep the solver
 * busy with orders of dust; and while one is tracked, a restart reads the chains from before it.
 */
const createLeftOrders = ({
  commitments,
  tracker,
  steady,
}: Pick<FillerDeps, 'commitments' | 'tracker' | 'steady'>) => {
  const left = createLru<OrderId, Instant>(MAX_LEFT)
  return {
    note: (orderId: OrderId, { kind }: Decision, { origin }: OrderStatuses): void => {
      if (kind === 'leave' && origin === 'open') left.set(orderId, steady())
    },
    /** The tracked orders that are not left; drops those that were left ten minutes ago. */
    others: (): readonly TrackedOrder[] =>
      tracker.orders().filter(({ orderId }) => {
        const leftAt = left.get(orderId)
        if (leftAt === undefined || commitments.isAnnounced(orderId)) return true
        if (steady() - leftAt >= LEFT_KEPT_MS) tracker.drop(orderId)
        return false
      }),
  }
}

/** Tries the fills of those orders that are to be filled if it succeeds. */
const createTrialRound =
  (
    { chains, states }: Pick<FillerDeps, 'chains' | 'states'>,
    trials: FillTrials,
    examine: Examiner['examine'],
  ) =>
  async (
    orders: readonly TrackedOrder[],
    statusesOf: (orderId: OrderId) => OrderStatuses,
  ): Promise<ReadonlyMap<OrderId, FillTrial>> => {
    const tried = new Map<OrderId, FillTrial>()
    const attempt = async (one: TrackedOrder): Promise<void> => {
      const { orderId, order } = one
      if (states.known(orderKeys(orderId).fill) === 'reverted') trials.reverted(orderId, order)
      const destination = chains.get(order.destinationChain)
      if (destination === undefined || decide(examine(one, statusesOf(orderId), true)).kind !== 'fill') return
      tried.set(orderId, await trials.attempt(orderId, order, destination))
    }
    await Promise.all(orders.map(attempt))
    return tried
  }

/** The IntentSettlers of the chains. */
const intentSettlers = (chains: FillerDeps['chains']): ReadonlyMap<ChainId, AskedSettler> =>
  new Map(
    [...chains].map(([chainId, { evm, settler }]) => [chainId, { kind: 'intent', chainId, evm, settler }]),
  )

/** Decides on each order from fresh readings, and sends each transaction once, through the outbox. */
export const createFiller = (deps: FillerDeps): Filler => {
  const { chains, tracker, outboxes, states, log, isCurrent } = deps
  const submit = createSubmitter(deps)
  const settlers = intentSettlers(chains)
  const readStatuses = createOrderStatusReader(settlers, { now: deps.steady, log })
  const mayDecline = createDeclineCheck(settlers, { now: deps.steady, log })
  const { examine, prune: pruneExaminer } = createExaminer(deps)
  const trials = createFillTrials(deps)
  const tryFills = createTrialRound(deps, trials, examine)
  const left = createLeftOrders(deps)
  const prune = (): void => {
    pruneExaminer()
    trials.keep((orderId) => tracker.find(orderId) !== undefined)
  }

  /** An order to a chain that is not served can only be declined, so its silence does not matter. */
  const isReadable = ({ originChain, destinationChain }: IntentOrder): boolean =>
    isCurrent(originChain) && (isCurrent(destinationChain) || !chains.has(destinationChain))

  const act = async (
    { orderId, order }: TrackedOrder,
    decision: Decision,
    gasLimit: bigint,
  ): Promise<void> => {
    const keys = orderKeys(orderId)
    const { originChain, originSettler, destinationChain, destinationSettler } = order
    const call = (chainId: ChainId, key: string, transaction: Omit<KeyedCall, 'key'>): Promise<void> =>
      submit({ chainId, key, submit: () => outboxes.get(chainId)?.submit({ key, ...transaction }) })
    const toDestination = (key: string, part: SettlerCall): Promise<void> =>
      call(destinationChain, key, { ...part, to: destinationSettler, gasLimit })
    if (decision.kind === 'fill') await toDestination(keys.fill, fillCall(order))
    else if (decision.kind === 'attempt_late') await toDestination(keys.late, fillCall(order))
    else if (decision.kind === 'attempt_short') await toDestination(keys.short, shortFillCall(order))
    else if (decision.kind === 'decline') {
      if (!(await mayDecline(orderId, order))) return
      log('info', 'order_declined', { orderId, reason: decision.reason })
      const part = declineCall(order)
      await call(originChain, keys.decline, { ...part, to: originSettler, gasLimit: DECLINE_GAS })
      deps.onDeclined(orderId, decision.reason)
    }
  }

  const lookUp = ({ orderId }: TrackedOrder): Promise<unknown> =>
    Promise.all(Object.values(orderKeys(orderId)).map(states.lookUpTransaction))

  return {
    round: async () => {
      const known = left.others()
      await Promise.all(known.map(lookUp))
      const orders = known.filter((one) => isUnfinished(one) && isReadable(one.order))
      if (orders.length === 0) return prune()
      const statusesOf = await readStatuses(orders)
      const tried = await tryFills(orders, statusesOf)
      const acts: Promise<void>[] = []
      // Decisions are sequential: a balance signed for one order is unavailable for the next.
      for (const one of orders) {
        const trial = tried.get(one.orderId)
        const statuses = statusesOf(one.orderId)
        const decision = decide(examine(one, statuses, trial?.isPayable))
        left.note(one.orderId, decision, statuses)
        acts.push(act(one, decision, trial?.gasLimit ?? FILL_GAS))
      }
      await Promise.all(acts)
      prune()
    },
  }
}
