import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import { createLru } from '../../lib/lru.ts'
import type { Commitments } from './commitments.ts'
import { type Decision, isEnded } from './decision.ts'
import type { OrderTracker, TrackedOrder } from './order-tracker.ts'

/** When to look at which order, because strangers open as many orders that name the solver as they like. */
export type OrderLooks = {
  /** The tracked orders to look at now. Drops unannounced orders that were left ten minutes ago. */
  readonly due: () => readonly TrackedOrder[]
  /**
   * Notes what was decided on an order that the chains were asked about, or that is left. One that has ended is looked at
   * no more, or again after growing pauses if it was announced, because its end may leave the chain; one that waits and
   * was not announced, after growing pauses.
   */
  readonly note: (orderId: OrderId, decision: Decision) => void
}

type Deps = {
  readonly tracker: Pick<OrderTracker, 'orders' | 'find' | 'drop'>
  readonly commitments: Pick<Commitments, 'isAnnounced'>
  readonly steady: () => Instant
}

type Look = { readonly isLeft: boolean; readonly count: number; readonly at: Instant; readonly next: Instant }

/** What is remembered; more than the orders that are tracked. */
const MAX_LOOKS = 200_000
/** How long a notice of an order that was left is waited for. */
const LEFT_KEPT_MS = 600_000
const WAITING: Backoff = { firstMs: 500, maximumMs: 60_000 }
/** Of orders to take over, which are few and have little time left. */
const TAKEOVER_WAITING: Backoff = { firstMs: 500, maximumMs: 4_000 }
const ENDED: Backoff = { firstMs: 60_000, maximumMs: 3_600_000 }

/** Creates the looks, none taken. While an order is tracked, a restart reads the chains from before it. */
export const createOrderLooks = ({ tracker, commitments, steady }: Deps): OrderLooks => {
  const looks = createLru<OrderId, Look>(MAX_LOOKS)

  const isDue = ({ orderId, filled }: TrackedOrder): boolean => {
    const last = looks.get(orderId)
    // The solver's own fills stay tracked until they are repaid.
    if (last === undefined || filled !== undefined) return true
    if (!last.isLeft || commitments.isAnnounced(orderId)) return steady() >= last.next
    if (steady() - last.at >= LEFT_KEPT_MS) tracker.drop(orderId)
    return false
  }
  return {
    due: () => tracker.orders().filter(isDue),
    note: (orderId, decision) => {
      const isAnnounced = commitments.isAnnounced(orderId)
      const isLeft = isEnded(decision)
      if (!isLeft && (isAnnounced || decision.kind !== 'wait')) return looks.delete(orderId)
      const last = looks.get(orderId)
      const count = last?.isLeft === isLeft ? last.count + 1 : 1
      const at = steady()
      const waiting = tracker.find(orderId)?.isTakeover === true ? TAKEOVER_WAITING : WAITING
      const pauseMs = isLeft ? (isAnnounced ? backoffMs(ENDED, count) : 0) : backoffMs(waiting, count)
      looks.set(orderId, { isLeft, count, at, next: at + pauseMs })
    },
  }
}
