import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'

/** One solver's inventory of one asset and what is taken from it; base units, mutated only in this file. */
export type Position = {
  /** The inventory that the solver last declared; zero while it is not connected. */
  declared: bigint
  /** Fills up to this block are already deducted from `declared`. */
  declaredBlock: number
  /** Sum of the quotes that may still be deposited for. */
  reserved: bigint
  /** Sum of the deposited orders, until they are over or their fill is reflected in `declared`. */
  committed: bigint
  /** Filled orders that `declared` does not reflect yet, with the block of each fill. */
  readonly unreported: Map<OrderId, number>
}

/** An output that a solver owes: as a quote until `quotedUntil`, as a deposited order until `until`. */
export type Reservation = {
  readonly orderId: OrderId
  readonly position: Position
  readonly output: BaseUnits
  readonly quotedUntil: Instant
  readonly until: Instant
}

/** The reservations in all positions. */
export type Reservations = {
  /** Reserves a quote, once. False, without effect, if the position does not cover it or too many are outstanding. */
  readonly reserve: (reservation: Reservation) => boolean
  /** Reserves a quote given before a restart, whether or not the position covers it. */
  readonly restore: (reservation: Reservation) => void
  /** Commits a deposited order in place of its quote; idempotent. */
  readonly commit: (reservation: Reservation) => void
  /** Ends a deposited order once the inventory is declared as of the block of its fill or later. */
  readonly filled: (orderId: OrderId, block: number) => void
  /** Ends a deposited order that will not be filled. */
  readonly release: (orderId: OrderId) => void
  /** Sets the declared inventory, with all fills up to the block already deducted. */
  readonly setInventory: (position: Position, available: BaseUnits, block: number) => void
  /** What the solver can still promise; never negative. */
  readonly free: (position: Position) => bigint
}

export const emptyPosition = (): Position => ({
  declared: 0n,
  declaredBlock: -1,
  reserved: 0n,
  committed: 0n,
  unreported: new Map(),
})

/** Quotes that end in the same second: their sum per position, and their orders. */
type Bucket = { readonly sums: Map<Position, bigint>; readonly orders: Set<number> }

const MAX_QUOTES = 1_000_000
const MAX_ORDERS = 100_000
const ORDER_SWEEP_MS = 10_000

/**
 * Quotes are kept as sums per second, because most are never deposited for and there may be thousands a second; orders,
 * which cost their depositor money, are kept individually. Expired quotes are dropped within a second, orders within
 * ten.
 */
export const createReservations = ({ now }: { readonly now: () => Instant }): Reservations => {
  const quotes = createQuotedSums()
  const orders = new Map<OrderId, Reservation>()
  let ordersSweptAt: Instant = Number.NEGATIVE_INFINITY

  const end = (reservation: Reservation): void => {
    orders.delete(reservation.orderId)
    reservation.position.unreported.delete(reservation.orderId)
    reservation.position.committed -= reservation.output
  }
  const sweep = (): Instant => {
    const at = now()
    quotes.sweep(at)
    if (at - ordersSweptAt >= ORDER_SWEEP_MS) {
      ordersSweptAt = at
      for (const reservation of orders.values()) if (reservation.until < at) end(reservation)
    }
    return at
  }
  const free = ({ declared, reserved, committed }: Position): bigint => {
    const rest = declared - reserved - committed
    return rest > 0n && orders.size < MAX_ORDERS ? rest : 0n
  }
  return {
    reserve: (reservation) => {
      const at = sweep()
      if (
        reservation.quotedUntil < at ||
        free(reservation.position) < reservation.output ||
        quotes.count() >= MAX_QUOTES
      )
        return false
      quotes.add(reservation)
      return true
    },
    restore: (reservation) => {
      if (reservation.quotedUntil >= sweep() && quotes.count() < MAX_QUOTES) quotes.add(reservation)
    },
    commit: (reservation) => {
      if (reservation.until < sweep() || orders.has(reservation.orderId) || orders.size >= MAX_ORDERS) return
      quotes.take(reservation)
      orders.set(reservation.orderId, reservation)
      reservation.position.committed += reservation.output
    },
    filled: (orderId, block) => {
      const reservation = orders.get(orderId)
      if (reservation === undefined) return
      if (block <= reservation.position.declaredBlock) end(reservation)
      else reservation.position.unreported.set(orderId, block)
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
    },
    free: (position) => {
      sweep()
      return free(position)
    },
  }
}

type QuotedSums = {
  readonly count: () => number
  readonly add: (reservation: Reservation) => void
  readonly take: (reservation: Reservation) => void
  readonly sweep: (at: Instant) => void
}

const createQuotedSums = (): QuotedSums => {
  const buckets = new Map<number, Bucket>()
  let sweptSecond = Number.NEGATIVE_INFINITY
  let count = 0

  const bucketOf = (second: number): Bucket => {
    const known = buckets.get(second)
    if (known !== undefined) return known
    const bucket: Bucket = { sums: new Map(), orders: new Set() }
    buckets.set(second, bucket)
    return bucket
  }
  return {
    count: () => count,
    add: ({ orderId, position, output, quotedUntil }) => {
      const { sums, orders } = bucketOf(secondOf(quotedUntil))
      const print = fingerprint(orderId)
      if (orders.has(print)) return
      sums.set(position, (sums.get(position) ?? 0n) + output)
      orders.add(print)
      position.reserved += output
      count += 1
    },
    take: ({ orderId, position, output, quotedUntil }) => {
      const bucket = buckets.get(secondOf(quotedUntil))
      const sum = bucket?.sums.get(position) ?? 0n
      if (bucket === undefined || sum < output || !bucket.orders.delete(fingerprint(orderId))) return
      bucket.sums.set(position, sum - output)
      position.reserved -= output
      count -= 1
    },
    sweep: (at) => {
      const current = secondOf(at)
      if (current <= sweptSecond) return
      sweptSecond = current
      for (const [second, { sums, orders }] of buckets) {
        if (second >= current) continue
        for (const [position, sum] of sums) position.reserved -= sum
        count -= orders.size
        buckets.delete(second)
      }
    },
  }
}

const secondOf = (instant: Instant): number => Math.floor(instant / 1000)

/** 52 of an order id's 256 bits: enough to distinguish the quotes of one second without storing their ids. */
const fingerprint = (orderId: OrderId): number => Number.parseInt(orderId.slice(2, 15), 16)
