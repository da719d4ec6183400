import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { OrderEventIndex } from '../../intents/settlers/order-event-index.ts'
import type { Solver } from '../../intents/solver-api/best-offers.ts'
import type { SolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import type { SolverNetwork } from '../../intents/solver-api/solver-network.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Deposits } from './deposits.ts'

/** Offers orders that their solvers do not fill to the other solvers. */
export type Reoffers = Lifecycle & {
  /**
   * Offers what is due to the solvers that are logged in, each order once a login: by turns of the solvers that do not fill, and of the
   * depositors of each. Rejects if the store fails.
   */
  readonly round: () => Promise<void>
  /** A solver has logged in, and may have missed offers. */
  readonly loggedIn: (solver: Solver) => void
}

type Deps = {
  readonly deposits: Pick<Deposits, 'open'>
  readonly orders: Pick<OrderEventIndex, 'lastKnown'>
  readonly directory: Pick<SolverDirectory, 'ownerOf'>
  readonly solvers: Pick<SolverNetwork, 'present' | 'tell'>
  readonly now: () => Instant
  readonly log: Log
}

const ROUND_MS = 1_000
/** Before `exclusiveUntil`, so that solvers have read the order when they may fill it. */
const AHEAD_SECONDS = 5
/** Offers of one round to one solver; a session takes fifty messages a second. */
const MOST_OFFERS = 20
const MAX_TOLD = 100_000

type Due = ReturnType<Deposits['open']>

/** The orders with the first of every party before the second of any, and otherwise as they were. */
const inTurns = (due: Due, partyOf: (order: IntentOrder) => string): Due => {
  const counts = new Map<string, number>()
  const placed = due.map((one) => {
    const party = partyOf(one.order)
    const turn = counts.get(party) ?? 0
    counts.set(party, turn + 1)
    return { one, turn }
  })
  return placed.toSorted((first, second) => first.turn - second.turn).map(({ one }) => one)
}

/** Creates the offers. What they rest on may come from one endpoint: a solver checks all of it before it pays. */
export const createReoffers = (deps: Deps): Reoffers => {
  const { deposits, orders, directory, solvers, now, log } = deps
  const told = createLru<string, true>(MAX_TOLD)
  const logins = new Map<string, number>()

  const isDue = ({ proven, fillDeadline }: IntentOrder): boolean => {
    const seconds = now() / 1000
    return proven !== undefined && seconds >= proven.exclusiveUntil - AHEAD_SECONDS && seconds < fillDeadline
  }
  /** Whether nothing is known of an end, not even tentatively. */
  const isUnfilled = async (orderId: OrderId, order: IntentOrder): Promise<boolean> => {
    const { originChain, destinationChain } = order
    const events = await orders.lastKnown({ orderId, originChain, destinationChain })
    const { filled, refunded, released, proven } = events
    return [filled, refunded, released, proven].every((event) => event === undefined)
  }
  const offer = async (solver: Solver, due: Due): Promise<void> => {
    const { address } = solver
    let offers = 0
    for (const { orderId, order } of due) {
      const key = `${address} ${logins.get(address) ?? 0} ${orderId}`
      if (told.get(key) === true || directory.ownerOf(order.solver)?.address === address) continue
      if (offers >= MOST_OFFERS) return
      if (!(await isUnfilled(orderId, order))) continue
      offers += 1
      told.set(key, true)
      solvers.tell(address, { type: 'reoffered', orderId, order })
      log('info', 'order_reoffered', { orderId, solver: solver.name })
    }
  }
  const round = async (): Promise<void> => {
    const open = deposits.open().filter(({ order }) => isDue(order))
    // A stranger's many orders, or those of a solver that it runs, do not delay the order of another.
    const ofDepositors = inTurns(open, ({ depositor }) => depositor)
    const due = inTurns(ofDepositors, ({ solver }) => solver)
    if (due.length > 0) await Promise.all(solvers.present().map((solver) => offer(solver, due)))
  }
  return {
    round,
    loggedIn: ({ address }) => {
      logins.set(address, (logins.get(address) ?? 0) + 1)
    },
    ...createPoller({ name: 'reoffer_round', periodMs: ROUND_MS, run: round, log }),
  }
}
