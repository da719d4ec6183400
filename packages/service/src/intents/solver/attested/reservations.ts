import type { Instant } from '../../../core/instant.ts'
import { assetKey, type SolverAsset } from '../assets.ts'
import type { TransactionState } from '../decision.ts'
import type { Inventory } from '../inventory.ts'
import { orderKeys } from '../order-keys.ts'
import type { TransactionStates } from '../transaction-states.ts'
import type { PendingOrder, PendingOrders } from './pending-orders.ts'

/** Upper bounds, in base units, of what attested orders reserve of an asset. */
export type AttestedReservations = {
  /** What is still to be paid, or paid but not reflected in the balance yet. */
  readonly owed: (asset: SolverAsset) => bigint
  /** Only what a signed payment reserves that the balance need not reflect yet. */
  readonly sent: (asset: SolverAsset) => bigint
}

type ReservationsDeps = {
  readonly pendingOrders: Pick<PendingOrders, 'orders'>
  readonly inventory: Pick<Inventory, 'holding'>
  readonly states: Pick<TransactionStates, 'known'>
  readonly now: () => Instant
}

const isSigned = (state: TransactionState): boolean => state === 'open' || state === 'succeeded'

/** Sums the reservations of the pending orders. */
export const createAttestedReservations = ({
  pendingOrders,
  inventory,
  states,
  now,
}: ReservationsDeps): AttestedReservations => {
  const total = (asset: SolverAsset, counts: (entry: PendingOrder) => boolean): bigint => {
    const readAt = inventory.holding(asset)?.readAt ?? Number.NEGATIVE_INFINITY
    let sum = 0n
    for (const entry of pendingOrders.orders()) {
      const { destinationChain, outputToken, outputAmount } = entry.order
      if (assetKey(destinationChain, outputToken) !== asset.key) continue
      const isShown = entry.paidAt !== undefined && entry.paidAt < readAt
      if (!isShown && counts(entry)) sum += outputAmount
    }
    return sum
  }
  const fillOf = ({ orderId }: PendingOrder): TransactionState => states.known(orderKeys(orderId).fill)
  const isToBePaid = ({ orderId, order }: PendingOrder): boolean =>
    states.known(orderKeys(orderId).decline) === 'none' && now() <= order.fillDeadline * 1000
  return {
    owed: (asset) => total(asset, (entry) => isSigned(fillOf(entry)) || isToBePaid(entry)),
    sent: (asset) => total(asset, (entry) => isSigned(fillOf(entry))),
  }
}
