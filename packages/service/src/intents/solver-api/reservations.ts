import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'
import type { Balance, Position } from './position.ts'
import {
  type Asker,
  createQuoteReservations,
  type Means,
  type QuoteClaim,
  type QuoteReservations,
} from './quote-reservations.ts'

/** An output that a solver owes: as a quote until `quotedUntil`, as a deposited order until `until`. */
export type Reservation = QuoteClaim & { readonly orderId: OrderId; readonly until: Instant }

/** The reservations in all positions. */
export type Reservations = Pick<QuoteReservations, 'setHeld' | 'sources'> & {
  /** Reserves a quote. False, without effect, if the position does not cover it or too many are outstanding. */
  readonly reserve: (reservation: Reservation, asker: Asker) => boolean
  /** Keeps announced bounds quotable, as far as that is possible, unless the client has a quote of the sender for the pair. */
  readonly hold: (claim: QuoteClaim, asker: Asker) => void
  /** Reserves a quote given before a restart, whether or not the position covers it. */
  readonly restore: (reservation: Reservation) => void
  /** Commits a deposited order in place of its quote; idempotent. */
  readonly commit: (reservation: Reservation) => void
  /** False if the order is known to have been committed without the reservation of its quote. */
  readonly wasReserved: (orderId: OrderId) => boolean
  /** Ends a deposited order once the inventory is declared as of the block of its fill or later. */
  readonly filled: (orderId: OrderId, block: number) => void
  /** Ends a deposited order that will not be filled. */
  readonly release: (orderId: OrderId) => void
  /** Sets the declared inventory, with all fills up to the block already deducted. */
  readonly setInventory: (position: Position, available: BaseUnits, block: number) => void
  /** Sets what the solver's account holds; no more of the declared inventory counts. */
  readonly setBalance: (position: Position, balance: Balance) => void
  /** What the solvers can still promise the asker, until a reservation changes. */
  readonly meansOf: QuoteReservations['meansOf']
}

const MAX_ORDERS = 100_000
const ORDER_SWEEP_MS = 10_000
const NOTHING: Means = { held: 0n, backed: 0n, shared: 0n }

type DepositedOrders = Pick<Reservations, 'filled' | 'release' | 'setInventory' | 'setBalance'> & {
  readonly orders: Map<OrderId, Reservation>
  readonly end: (reservation: Reservation) => void
}

/** The deposited orders, until they are over or their fill is reflected in the declared inventory. */
const createDepositedOrders = (needsBalances: boolean): DepositedOrders => {
  const orders = new Map<OrderId, Reservation>()
  /** A declaration older than the balance still contains what was filled since. */
  const cover = (position: Position): void => {
    const { declared, balance, unreported } = position
    if (balance === undefined) {
      position.covered = needsBalances ? 0n : declared
      return
    }
    let limit = balance.amount
    for (const [orderId, filledAt] of unreported)
      if (filledAt <= balance.block) limit += orders.get(orderId)?.output ?? 0n
    position.covered = declared < limit ? declared : limit
  }
  const end = ({ orderId, position, output }: Reservation): void => {
    orders.delete(orderId)
    position.committed -= output
    if (position.unreported.delete(orderId)) cover(position)
  }
  return {
    orders,
    end,
    filled: (orderId, block) => {
      const reservation = orders.get(orderId)
      if (reservation === undefined) return
      if (block <= reservation.position.declaredBlock) {
        end(reservation)
        return
      }
      reservation.position.unreported.set(orderId, block)
      cover(reservation.position)
    },
    release: (orderId) => {
      const reservation = orders.get(orderId)
      if (reservation !== undefined) end(reservation)
    },
    setInventory: (position, available, block) => {
      position.declared = available
      position.declaredBlock = block
      for (const [orderId, filledAt] of position.unreported) {
        const reservation = filledAt <= block ? orders.get(orderId) : undefined
        if (reservation !== undefined) end(reservation)
      }
      cover(position)
    },
    setBalance: (position, balance) => {
      position.balance = balance
      cover(position)
    },
  }
}

type Options = {
  readonly now: () => Instant
  /** Whether declared inventory counts only once the account's balance is known. */
  readonly needsBalances: boolean
}

/**
 * Quotes end within a second after their time, deposited orders, which cost their depositor money, within ten.
 */
export const createReservations = ({ now, needsBalances }: Options): Reservations => {
  const quotes = createQuoteReservations()
  const deposited = createDepositedOrders(needsBalances)
  const { orders, end } = deposited
  const unreserved = createLru<OrderId, true>(MAX_ORDERS)
  let ordersSweptAt: Instant = Number.NEGATIVE_INFINITY

  const sweep = (): Instant => {
    const at = now()
    quotes.sweep(at)
    if (at - ordersSweptAt >= ORDER_SWEEP_MS) {
      ordersSweptAt = at
      for (const reservation of orders.values()) if (reservation.until < at) end(reservation)
    }
    return at
  }
  const add = (claim: QuoteClaim, asker: Asker): boolean =>
    claim.quotedUntil >= sweep() && orders.size < MAX_ORDERS && quotes.add(claim, asker)
  return {
    setHeld: (sourceKey, held) => {
      sweep()
      quotes.setHeld(sourceKey, held)
    },
    sources: quotes.sources,
    reserve: add,
    hold: (claim, asker) => {
      if (!quotes.isQuoted(claim.pairKey, asker.client)) add(claim, asker)
    },
    restore: (reservation) => {
      if (reservation.quotedUntil >= sweep()) quotes.restore(reservation)
    },
    commit: (reservation) => {
      if (reservation.until < sweep() || orders.has(reservation.orderId) || orders.size >= MAX_ORDERS) return
      if (!quotes.take(reservation)) unreserved.set(reservation.orderId, true)
      orders.set(reservation.orderId, reservation)
      reservation.position.committed += reservation.output
    },
    wasReserved: (orderId) => unreserved.get(orderId) === undefined,
    filled: deposited.filled,
    release: deposited.release,
    setInventory: deposited.setInventory,
    setBalance: deposited.setBalance,
    meansOf: (asker, keys) => {
      sweep()
      return orders.size < MAX_ORDERS ? quotes.meansOf(asker, keys) : () => NOTHING
    },
  }
}
