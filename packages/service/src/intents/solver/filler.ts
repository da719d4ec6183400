import type { ChainId } from '@openrfq/sdk'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import type { StoredTransaction } from '../../store/store.ts'
import type { KeyedCall, TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { fillCall, refundCall, type SettlerCall } from '../settlers/settler-contract.ts'
import { type Decision, decide } from './decision.ts'
import { createDeclineGas } from './decline-gas.ts'
import { createExaminer, type ExamineDeps, type Examiner } from './examine.ts'
import { createFillTrials, FILL_GAS, type FillTrial, type FillTrials } from './fill-trials.ts'
import { orderKeys } from './order-keys.ts'
import { createOrderLooks } from './order-looks.ts'
import { createOrderStatusReader, type OrderStatuses } from './order-statuses.ts'
import type { OrderTracker, TrackedOrder } from './order-tracker.ts'
import { type AskedSettler, createDeclineCheck } from './status-check.ts'
import { createSubmitter } from './submitter.ts'
import type { Takeovers } from './takeover/takeovers.ts'
import type { TransactionStates } from './transaction-states.ts'

type FillerDeps = ExamineDeps & {
  readonly tracker: Pick<OrderTracker, 'orders' | 'find' | 'drop'>
  readonly takeovers: Omit<Takeovers, 'offer' | 'round'>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly states: TransactionStates
  /** Whether the chain has been read up to its head, with settlers that are known to be right; other orders must wait. */
  readonly isCurrent: (chainId: ChainId) => boolean
  readonly onDeclined: (orderId: OrderId, reason: string) => void
  readonly log: Log
}

/** Fills and declines orders. */
export type Filler = {
  /** Runs one round over all orders; rejects only if the store fails. */
  readonly round: () => Promise<void>
}

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

/** Orders whose price was judged that are remembered; more than are tracked. */
const MAX_JUDGED = 200_000

/** What the chains would say of an order that they let the solver fill or decline. */
const UNREAD: OrderStatuses = { origin: 'open', destination: 'none' }

/**
 * The order to read, and the block that an endpoint must have for that: the block of the deposit, or the first block in which
 * another solver can fill the order.
 */
const askedOf = ({ takeovers }: Pick<FillerDeps, 'takeovers'>) => {
  return ({ orderId, order, opened, isTakeover }: TrackedOrder) => ({
    orderId,
    order,
    opened: isTakeover ? takeovers.undeclinableSince(orderId) : opened,
  })
}

/** The account that a fill names to be repaid; undefined if the order names it. */
const repayToOf = ({ isTakeover }: TrackedOrder, account: string): string | undefined =>
  isTakeover ? account : undefined

/** Tries the fills of those orders that are to be filled if it succeeds. */
const createTrialRound =
  (
    { chains, account }: Pick<FillerDeps, 'chains' | 'account'>,
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
      const destination = chains.get(order.destinationChain)
      if (destination === undefined || decide(examine(one, statusesOf(orderId), true)).kind !== 'fill') return
      const { evm, settler } = destination
      const repayTo = repayToOf(one, account)
      tried.set(orderId, await trials.attempt(orderId, order, { evm, settler, repayTo }))
    }
    await Promise.all(orders.map(attempt))
    return tried
  }

/** The IntentSettlers of the chains. */
const intentSettlers = (chains: FillerDeps['chains']): ReadonlyMap<ChainId, AskedSettler> =>
  new Map(
    [...chains].map(([chainId, { evm, settler }]) => [chainId, { kind: 'intent', chainId, evm, settler }]),
  )

/** Signs what was decided on an order. */
const createActs = (deps: FillerDeps, settlers: ReadonlyMap<ChainId, AskedSettler>) => {
  const { outboxes, takeovers, account, log } = deps
  const submit = createSubmitter(deps)
  const mayDecline = createDeclineCheck(settlers, { now: deps.steady, log })
  const declineGas = createDeclineGas(deps)
  const fill = (one: TrackedOrder, gasLimit: bigint): Promise<void> => {
    const { destinationChain: chainId, destinationSettler: to } = one.order
    const { fill: key } = orderKeys(one.orderId)
    const outbox = outboxes.get(chainId)
    const call = { key, ...fillCall(one.order, repayToOf(one, account)), to, gasLimit }
    const takeOver = async (): Promise<StoredTransaction | undefined> => {
      await takeovers.keep(one)
      return outbox?.submit(call)
    }
    return submit({ chainId, key, submit: one.isTakeover ? takeOver : () => outbox?.submit(call) })
  }
  return async (one: TrackedOrder, decision: Decision, gasLimit: bigint): Promise<void> => {
    const { orderId, order } = one
    const keys = orderKeys(orderId)
    const { originChain, originSettler, destinationChain, destinationSettler } = order
    const call = (chainId: ChainId, key: string, transaction: Omit<KeyedCall, 'key'>): Promise<void> =>
      submit({ chainId, key, submit: () => outboxes.get(chainId)?.submit({ key, ...transaction }) })
    const toDestination = (key: string, part: SettlerCall): Promise<void> =>
      call(destinationChain, key, { ...part, to: destinationSettler, gasLimit })
    if (decision.kind === 'fill') await fill(one, gasLimit)
    else if (decision.kind === 'attempt_late') await toDestination(keys.late, fillCall(order))
    else if (decision.kind === 'attempt_short') await toDestination(keys.short, shortFillCall(order))
    else if (decision.kind === 'decline') {
      if (!(await mayDecline(orderId, order))) return
      const refundGas = await declineGas(deps.chains.get(originChain)?.evm, orderId, order)
      if (refundGas === undefined) return
      log('info', 'order_declined', { orderId, reason: decision.reason })
      const part = refundCall(order)
      await call(originChain, keys.decline, { ...part, to: originSettler, gasLimit: refundGas })
      deps.onDeclined(orderId, decision.reason)
    }
  }
}

/** Judges the price of each order once, because the ladders that it may be quoted from are known for a while only. */
const createFirstLook = ({ commitments }: Pick<FillerDeps, 'commitments'>) => {
  const judged = createLru<OrderId, true>(MAX_JUDGED)
  return (one: TrackedOrder): void => {
    if (judged.get(one.orderId) === true) return
    judged.set(one.orderId, true)
    commitments.wasQuoted(one)
  }
}

/** Decides on each order from fresh readings, and sends each transaction once, through the outbox. */
export const createFiller = (deps: FillerDeps): Filler => {
  const { chains, tracker, takeovers, states, log, isCurrent } = deps
  const settlers = intentSettlers(chains)
  const act = createActs(deps, settlers)
  const readStatuses = createOrderStatusReader(settlers, { now: deps.steady, log })
  const { examine, isConfirmed, renew, prune: pruneExaminer } = createExaminer(deps, takeovers)
  const trials = createFillTrials(deps)
  const tryFills = createTrialRound(deps, trials, examine)
  const looks = createOrderLooks(deps)
  const judgeOnce = createFirstLook(deps)
  const prune = (): void => {
    pruneExaminer()
    trials.keep((orderId) => tracker.find(orderId) !== undefined)
    takeovers.prune()
  }

  /** An order to a chain that is not served can only be declined, so its silence does not matter. */
  const isReadable = ({ originChain, destinationChain }: IntentOrder): boolean =>
    isCurrent(originChain) && (isCurrent(destinationChain) || !chains.has(destinationChain))

  const lookUp = ({ orderId }: TrackedOrder): Promise<unknown> =>
    Promise.all(Object.values(orderKeys(orderId)).map(states.lookUpTransaction))

  /** Whether the chains need to be asked about an order: not if nothing that they say would have it filled or declined. */
  const needsStatuses = (one: TrackedOrder): boolean => {
    const { orderId, order, isTakeover } = one
    // The other modes are for rehearsals of the solver's own orders.
    if (isTakeover && deps.mode() !== 'normal') return false
    if (states.known(orderKeys(orderId).fill) === 'reverted') trials.reverted(orderId, order)
    if (!isTakeover) judgeOnce(one)
    if (!isConfirmed(one)) return false
    const decision = decide(examine(one, UNREAD, true))
    if (decision.kind === 'leave') looks.note(orderId, decision)
    return decision.kind !== 'leave' && decision.kind !== 'wait'
  }

  return {
    round: async () => {
      const known = looks.due()
      await Promise.all(known.map(lookUp))
      await takeovers.look(known.filter((one) => one.isTakeover && isUnfinished(one)))
      renew()
      const orders = known.filter((one) => isUnfinished(one) && isReadable(one.order) && needsStatuses(one))
      if (orders.length === 0) return prune()
      const statusesOf = await readStatuses(orders.map(askedOf(deps)))
      renew()
      const tried = await tryFills(orders, statusesOf)
      const acts: Promise<void>[] = []
      renew()
      // Decisions are sequential: a balance signed for one order is unavailable for the next.
      for (const one of orders) {
        const trial = tried.get(one.orderId)
        const decision = decide(examine(one, statusesOf(one.orderId), trial?.isPayable))
        looks.note(one.orderId, decision)
        acts.push(act(one, decision, trial?.gasLimit ?? FILL_GAS))
        if (decision.kind === 'fill') renew()
      }
      await Promise.all(acts)
      prune()
    },
  }
}
