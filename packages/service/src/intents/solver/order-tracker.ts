import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'
import type { SettlerEvent } from '../settlers/settler-events.ts'

/** A settler event with its block; it may leave the chain while it is not final. */
export type OrderEvent = {
  readonly chainId: ChainId
  readonly event: SettlerEvent
  readonly blockNumber: bigint
  /** The block's time, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  readonly isFinal: boolean
}

type Mark = Pick<OrderEvent, 'blockNumber' | 'timestampSeconds' | 'isFinal'> & { readonly noticedAt: Instant }

/** The known state of one order; `filled` comes from the destination chain, the rest from the origin. */
type TrackedEntry = {
  readonly orderId: OrderId
  readonly firstSeenAt: Instant
  /** How far the destination chain had been read when the order was first seen. */
  readonly destinationFrom: bigint
  readonly order: IntentOrder | undefined
  /** Whether the order names another solver, so that this one may only take it over. */
  readonly isTakeover: boolean
  readonly opened: Mark | undefined
  /** The solver's own fill. */
  readonly filled: Mark | undefined
  /** The final proof of the solver's fill. */
  readonly proven: Mark | undefined
}

/** An order whose deposit has been seen. */
export type TrackedOrder = TrackedEntry & { readonly order: IntentOrder }

/** The end of an order. */
export type OrderEnd = {
  readonly order: IntentOrder | undefined
  readonly event: SettlerEvent
  /** Whether the solver had paid the recipient; a refund after that is its loss. */
  readonly wasFilled: boolean
  /** Whether the escrow was released to another account, which filled the order. */
  readonly wasTakenOver: boolean
}

/** The first block of each chain that events of an adopted order may be in. */
type AdoptedFrom = { readonly origin: bigint; readonly destination: bigint }

/**
 * The orders that name the solver, or that it adopted, and that are not over. All but which are adopted can be read from the
 * chains again.
 */
export type OrderTracker = {
  /** Processes an event; returns the end of the order if this event ended it. */
  readonly add: (seen: OrderEvent) => OrderEnd | undefined
  /**
   * Tracks an order of another solver, whose deposit the caller knows of; by default from the next blocks on. False for one
   * that is over or names this solver.
   */
  readonly adopt: (orderId: OrderId, order: IntentOrder, from?: AdoptedFrom) => boolean
  /** Removes an event that has left the chain. */
  readonly remove: (seen: OrderEvent) => void
  /** Forgets an order for good; its later events are ignored. */
  readonly drop: (orderId: OrderId) => void
  readonly orders: () => readonly TrackedOrder[]
  readonly find: (orderId: OrderId) => TrackedEntry | undefined
  /** The last block of a chain that no open order needs; undefined if no open order needs the chain. */
  readonly lowWater: (chainId: ChainId) => bigint | undefined
}

type Deps = {
  readonly address: string
  readonly now: () => Instant
  /** How far the chain has been read. */
  readonly readUpTo: (chainId: ChainId) => bigint
}

const MAX_ENTRIES = 50_000
const MAX_ENDED = 100_000
/** When to drop a fill without a deposit: its deposit was over before the solver started. */
const ORPHAN_MS = 3_600_000
const FORGOTTEN_AFTER_MS = 7 * 86_400_000

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether an event concerns the solver at this address; for events that only name the order, whether it is tracked. */
const concerns = (event: SettlerEvent, address: string, entry: TrackedEntry | undefined): boolean => {
  if (event.kind === 'open') return isSame(event.order.solver, address)
  if (event.kind === 'filled') return isSame(event.filler, address)
  return entry !== undefined
}

const isEnd = ({ kind }: SettlerEvent): boolean => kind === 'released' || kind === 'refunded'

type Entry = TrackedEntry & { readonly chainId: ChainId }

/** The entries; beyond 50,000 drops the oldest that the solver has not filled, and stale ones after a while. */
const createEntries = (now: () => Instant) => {
  const entries = new Map<OrderId, Entry>()
  let listed: readonly TrackedOrder[] | undefined

  const isStale = ({ order, opened, firstSeenAt }: Entry): boolean =>
    opened === undefined && now() - firstSeenAt > (order === undefined ? ORPHAN_MS : FORGOTTEN_AFTER_MS)
  const list = (): readonly TrackedOrder[] => {
    for (const entry of entries.values()) if (isStale(entry)) entries.delete(entry.orderId)
    return [...entries.values()].flatMap((entry) =>
      entry.order === undefined ? [] : [{ ...entry, order: entry.order }],
    )
  }
  /** The solver's own fills stay: strangers would have their repayment forgotten by opening orders. */
  const dropOldest = (): void => {
    for (const { orderId, filled } of entries.values())
      if (filled === undefined) {
        entries.delete(orderId)
        return
      }
  }
  return {
    get: (orderId: OrderId): Entry | undefined => entries.get(orderId),
    values: () => entries.values(),
    set: (entry: Entry): void => {
      listed = undefined
      entries.set(entry.orderId, entry)
      if (entries.size > MAX_ENTRIES) dropOldest()
    },
    delete: (orderId: OrderId): void => {
      listed = undefined
      entries.delete(orderId)
    },
    orders: (): readonly TrackedOrder[] => {
      listed ??= list()
      return listed
    },
  }
}

/** Adds orders of other solvers; what their fills by this solver already added to the entries stays. */
const createAdoption =
  (
    { address, now, readUpTo }: Deps,
    entries: Pick<ReturnType<typeof createEntries>, 'get' | 'set'>,
    isOver: (orderId: OrderId) => boolean,
  ): OrderTracker['adopt'] =>
  (orderId, order, from) => {
    const { originChain: chainId, destinationChain } = order
    if (isOver(orderId) || isSame(order.solver, address)) return false
    const known = entries.get(orderId)
    if (known?.order !== undefined) return true
    const origin = from?.origin ?? readUpTo(chainId) + 1n
    const destination = from?.destination ?? readUpTo(destinationChain) + 1n
    const firstSeenAt = now()
    entries.set({
      ...{ orderId, chainId, firstSeenAt, filled: undefined, proven: undefined },
      destinationFrom: destination - 1n,
      ...known,
      order,
      isTakeover: true,
      opened: { blockNumber: origin, timestampSeconds: 0, isFinal: true, noticedAt: firstSeenAt },
    })
    return true
  }

/** Creates an order tracker in memory. */
export const createOrderTracker = ({ address, now, readUpTo }: Deps): OrderTracker => {
  const entries = createEntries(now)
  const ended = createLru<OrderId, true>(MAX_ENDED)

  const put = ({ event, chainId, blockNumber }: OrderEvent, change: Partial<TrackedEntry>): void => {
    const entry = entries.get(event.orderId) ?? {
      orderId: event.orderId,
      chainId,
      firstSeenAt: now(),
      destinationFrom:
        change.order === undefined ? blockNumber - 1n : readUpTo(change.order.destinationChain),
      order: undefined,
      isTakeover: false,
      opened: undefined,
      filled: undefined,
      proven: undefined,
    }
    entries.set({ ...entry, ...change })
  }
  const adopt = createAdoption({ address, now, readUpTo }, entries, (id) => ended.get(id) === true)

  return {
    add: (seen) => {
      const { event, blockNumber, timestampSeconds, isFinal } = seen
      const entry = entries.get(event.orderId)
      if (ended.get(event.orderId) === true || !concerns(event, address, entry)) return undefined
      const mark: Mark = { blockNumber, timestampSeconds, isFinal, noticedAt: now() }
      if (event.kind === 'open') put(seen, { order: event.order, opened: mark })
      else if (event.kind === 'filled') put(seen, { filled: mark })
      else if (event.kind === 'proven' && isFinal) {
        if (isSame(event.payee, address)) put(seen, { proven: mark })
      } else if (isEnd(event) && isFinal) {
        entries.delete(event.orderId)
        ended.set(event.orderId, true)
        return {
          order: entry?.order,
          event,
          wasFilled: entry?.filled !== undefined,
          wasTakenOver: event.kind === 'released' && !isSame(event.payee, address),
        }
      }
      return undefined
    },
    adopt,
    remove: (seen) => {
      const entry = entries.get(seen.event.orderId)
      if (entry === undefined) return
      if (seen.event.kind === 'open' && entry.opened?.isFinal === false) put(seen, { opened: undefined })
      if (seen.event.kind === 'filled' && entry.filled?.isFinal === false) put(seen, { filled: undefined })
    },
    drop: (orderId) => {
      entries.delete(orderId)
      ended.set(orderId, true)
    },
    orders: entries.orders,
    find: entries.get,
    lowWater: (chainId) => {
      let lowest: bigint | undefined
      for (const entry of entries.values()) {
        const needed = firstNeeded(entry, chainId)
        if (needed !== undefined && (lowest === undefined || needed < lowest)) lowest = needed
      }
      return lowest
    },
  }
}

/** The block before the first event of the chain that an entry depends on. */
const firstNeeded = (entry: Entry, chainId: ChainId): bigint | undefined => {
  const { order, opened, filled } = entry
  if (order?.originChain === chainId) return opened === undefined ? undefined : opened.blockNumber - 1n
  const destination = order?.destinationChain ?? entry.chainId
  if (destination !== chainId) return undefined
  return filled === undefined ? entry.destinationFrom : filled.blockNumber - 1n
}
