import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Clock } from '../../lib/clock.ts'
import { createLru } from '../../lib/lru.ts'
import type { Balance, Fill, Position } from './position.ts'
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
  /** False if the order is known to have been committed without a reservation, or after deposits that left too little for it. */
  readonly wasReserved: (orderId: OrderId) => boolean
  /** Counts the output of a deposited order as paid in a block that may still be reverted. */
  readonly seenFilled: (orderId: OrderId, block: number) => void
  /** Ends a deposited order once the inventory is declared as of the block of its fill or later. */
  readonly filled: (orderId: OrderId, block: number) => void
  /** Ends a deposited order that will not be filled. */
  readonly release: (orderId: OrderId) => void
  /** Sets the declared inventory, with all fills up to the block already deducted. */
  readonly setInventory: (position: Position, available: BaseUnits, block: number) => void
  /**
   * Sets what the solver's account holds; no more of the declared inventory counts. Without effect if a newer block's
   * balance was set in the last ten seconds.
   */
  readonly setBalance: (position: Position, balance: Balance) => void
  /** What the solvers can still promise the asker, until a reservation changes. */
  readonly meansOf: QuoteReservations['meansOf']
}

const MAX_ORDERS = 100_000
const ORDER_SWEEP_MS = 10_000
/** Then an older block shows that the chain was reset, or that an endpoint invented the newer one. */
const NEWER_BALANCE_MS = 10_000
const NOTHING: Means = { held: 0n, backed: 0n, shared: 0n }

type DepositedOrders = Pick<
  Reservations,
  'seenFilled' | 'filled' | 'release' | 'setInventory' | 'setBalance'
> & {
  readonly orders: Map<OrderId, Reservation>
  readonly end: (reservation: Reservation) => void
}

/** The deposited orders, until they are over or their fill is reflected in the declared inventory. */
const createDepositedOrders = ({ steady, needsBalances }: Omit<Options, 'now'>): DepositedOrders => {
  const orders = new Map<OrderId, Reservation>()
  const outputsOf = ({ fills }: Position, isCounted: (fill: Fill) => boolean): bigint => {
    let sum = 0n
    for (const [orderId, fill] of fills) if (isCounted(fill)) sum += orders.get(orderId)?.output ?? 0n
    return sum
  }
  /** The filled orders are still in `committed`: what was already deducted for them is added again. */
  const cover = (position: Position): void => {
    const { declared, declaredBlock, declaredBefore, balance } = position
    if (balance === undefined && needsBalances) {
      position.covered = 0n
      return
    }
    const before = declared + outputsOf(position, ({ block }) => block <= declaredBlock)
    const most = larger(declared, smaller(before, declaredBefore))
    position.covered =
      balance === undefined
        ? most
        : smaller(most, balance.amount + outputsOf(position, ({ block }) => block <= balance.block))
  }
  const end = ({ orderId, position, output }: Reservation): void => {
    orders.delete(orderId)
    position.committed -= output
    if (position.fills.delete(orderId)) position.declaredBefore -= output
    if (position.committed === 0n) position.declaredBefore = position.declared
    cover(position)
  }
  return {
    orders,
    end,
    seenFilled: (orderId, block) => {
      const reservation = orders.get(orderId)
      if (reservation === undefined || reservation.position.fills.get(orderId)?.isFinal === true) return
      reservation.position.fills.set(orderId, { block, isFinal: false })
      cover(reservation.position)
    },
    filled: (orderId, block) => {
      const reservation = orders.get(orderId)
      if (reservation === undefined) return
      reservation.position.fills.set(orderId, { block, isFinal: true })
      if (block <= reservation.position.declaredBlock) end(reservation)
      else cover(reservation.position)
    },
    release: (orderId) => {
      const reservation = orders.get(orderId)
      if (reservation !== undefined) end(reservation)
    },
    setInventory: (position, available, block) => {
      const { committed, declaredBefore } = position
      position.declared = available
      position.declaredBlock = block
      position.declaredBefore = committed === 0n ? available : larger(declaredBefore, available)
      for (const [orderId, fill] of position.fills) {
        const reservation = fill.isFinal && fill.block <= block ? orders.get(orderId) : undefined
        if (reservation !== undefined) end(reservation)
      }
      cover(position)
    },
    setBalance: (position, balance) => {
      const known = position.balance
      const readAt = steady()
      if (known !== undefined && balance.block < known.block && readAt - known.readAt < NEWER_BALANCE_MS)
        return
      position.balance = { ...balance, readAt }
      cover(position)
    },
  }
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

type Options = Clock & {
  /** Whether declared inventory counts only once the account's balance is known. */
  readonly needsBalances: boolean
}

/**
 * Quotes end within a second after their time, deposited orders, which cost their depositor money, within ten.
 */
export const createReservations = ({ now, ...options }: Options): Reservations => {
  const quotes = createQuoteReservations()
  const deposited = createDepositedOrders(options)
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
      reservation.position.taken += reservation.output
    },
    wasReserved: (orderId) => unreserved.get(orderId) === undefined,
    seenFilled: deposited.seenFilled,
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
