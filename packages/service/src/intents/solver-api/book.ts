import type { ChainId } from '@openrfq/sdk'
import { baseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import { tokenKey } from '../../core/token-key.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  answerFrom,
  type BookAnswer,
  type IsShown,
  type PricedOrder,
  type Solver,
  type Standing,
} from './best-offers.ts'
import type { InventoryEntry, RefusedReason, Rung, StandingQuote } from './protocol.ts'
import { createReservations, emptyPosition, type Position, type Reservation } from './reservations.ts'
import { createSolverDirectory } from './solver-directory.ts'

/** Why a solver's message was rejected; none of it was applied. */
export type BookRejection = { readonly reason: RefusedReason; readonly message: string }

/** All standing quotes and the solvers' free inventory, in memory. */
export type Book = {
  /** Prices an order; takes microseconds. */
  readonly price: (order: PricedOrder) => BookAnswer
  /**
   * Reserves a quote's output in its solver's inventory until its `openDeadline`. False if the inventory does not (or
   * no longer) cover it, or the solver or the asset is unknown: then the quote must not be given. Once per order.
   */
  readonly reserve: (orderId: OrderId, order: IntentOrder) => boolean
  /** Restores the reservation of a quote given before a restart, covered or not. Once per order. */
  readonly restore: (orderId: OrderId, order: IntentOrder) => void
  /**
   * Commits an order whose deposit was seen, until its `fillDeadline`, in place of its quote's reservation. Idempotent.
   */
  readonly commit: (orderId: OrderId, order: IntentOrder) => void
  /**
   * Ends a filled order's reservation as soon as its solver declares an inventory as of this destination block or later.
   */
  readonly filled: (orderId: OrderId, block: number) => void
  /** Ends a committed order that will not be filled: it was declined, refunded, or its deposit is gone. */
  readonly release: (orderId: OrderId) => void
  /** Replaces the solver's standing quotes of the named pairs; all or none. */
  readonly upsertQuotes: (solver: Solver, quotes: readonly StandingQuote[]) => BookRejection | undefined
  /** Replaces the solver's inventory of the named assets; all or none. */
  readonly setInventory: (solver: Solver, entries: readonly InventoryEntry[]) => BookRejection | undefined
  /** Drops the solver's standing quotes and inventory; its reservations stay. */
  readonly leave: (solver: Solver) => void
}

type Dependencies = Clock & {
  readonly solvers: IntentTerms['solvers']
  /** The key (`tokenKey`) of an asset that solvers may quote, from any text form of its address. */
  readonly assetKey: (chain: ChainId, token: string) => string | undefined
  /** An offer that is not shown is priced only where there is no other; absent, all are shown. */
  readonly isShown?: IsShown
}

/** Creates an empty book. It reads the clock, so expired entries are neither offered nor counted. */
export const createBook = ({ solvers, assetKey, isShown, now, steady }: Dependencies): Book => {
  const reservations = createReservations({ now })
  const positions = createPositions(solvers)
  const standing = createStandingQuotes(steady)
  const history = createQuotedPairs(solvers, steady)

  const claimOf = (orderId: OrderId, order: IntentOrder): Reservation | undefined => {
    const asset = assetKey(order.destinationChain, order.outputToken)
    const position = asset === undefined ? undefined : positions.of(order.solver, asset)
    if (position === undefined) return undefined
    const [quotedUntil, until] = [endOf(order.openDeadline), endOf(order.fillDeadline)]
    return { orderId, position, output: order.outputAmount, quotedUntil, until }
  }
  const place = (solver: Solver, quote: StandingQuote): Placed | BookRejection => {
    const from = assetKey(quote.fromChain, quote.fromToken)
    if (from === undefined) return unknownAsset(quote.fromChain, quote.fromToken)
    const to = assetKey(quote.toChain, quote.toToken)
    const position = to === undefined ? undefined : positions.of(solver.address, to)
    if (to === undefined || position === undefined) return unknownAsset(quote.toChain, quote.toToken)
    if (quote.fromChain === quote.toChain)
      return { reason: 'unknown_asset', message: `both assets are on ${quote.toChain}; expected two chains` }
    const { ladder, validForMs } = quote
    return { key: pairKey(from, to), solver, ladder, position, until: steady() + validForMs }
  }
  const locate = (
    solver: Solver,
    { chain, token, available, block }: InventoryEntry,
  ): Declared | BookRejection => {
    const key = assetKey(chain, token)
    const position = key === undefined ? undefined : positions.of(solver.address, key)
    if (key === undefined || position === undefined) return unknownAsset(chain, token)
    return { key, apply: () => reservations.setInventory(position, available, block) }
  }
  return {
    price: (order) => {
      const answer = answerFrom(standing.of(order), order, reservations.free, isShown)
      if (!('declined' in answer) || answer.declined !== 'no_quotes') return answer
      return history.mayBeQuoted(order) ? answer : { declined: 'never_quoted' }
    },
    reserve: (orderId, order) => {
      const reservation = claimOf(orderId, order)
      return reservation !== undefined && reservations.reserve(reservation)
    },
    restore: (orderId, order) => {
      const reservation = claimOf(orderId, order)
      if (reservation !== undefined) reservations.restore(reservation)
    },
    commit: (orderId, order) => {
      const reservation = claimOf(orderId, order)
      if (reservation !== undefined) reservations.commit(reservation)
    },
    filled: reservations.filled,
    release: reservations.release,
    upsertQuotes: (solver, quotes) => {
      const placed = allOf(quotes.map((quote) => place(solver, quote)))
      if ('reason' in placed) return placed
      for (const quote of placed.values) {
        standing.set(quote)
        history.add(quote)
      }
      return undefined
    },
    setInventory: (solver, entries) => {
      const located = allOf(entries.map((entry) => locate(solver, entry)))
      if ('reason' in located) return located
      for (const { apply } of located.values) apply()
      return undefined
    },
    leave: (solver) => {
      standing.drop(solver)
      for (const position of positions.ofSolver(solver.address))
        reservations.setInventory(position, NOTHING, NO_BLOCK)
    },
  }
}

const NOTHING = baseUnits(0n)
const NO_BLOCK = -1

type Keyed = { readonly key: string }
type Placed = Keyed & Omit<Standing, 'ladder'> & { readonly ladder: readonly Rung[] }
type Declared = Keyed & { readonly apply: () => void }

/** The last millisecond of a deadline given in whole seconds. */
const endOf = (seconds: number): Instant => seconds * 1000 + 999

const pairKey = (from: string, to: string): string => `${from} ${to}`

const unknownAsset = (chain: ChainId, token: string): BookRejection => ({
  reason: 'unknown_asset',
  message: `${token} on ${chain} is not an asset that solvers may quote here`,
})

/** All values, unless one is a rejection or two have the same key. */
const allOf = <Value extends Keyed>(
  values: readonly (Value | BookRejection)[],
): { readonly values: readonly Value[] } | BookRejection => {
  const found = new Map<string, Value>()
  for (const value of values) {
    if ('reason' in value) return value
    if (found.has(value.key)) return { reason: 'duplicate', message: `${value.key} is named twice` }
    found.set(value.key, value)
  }
  return { values: [...found.values()] }
}

/** The positions of the known solvers, by any of their accounts, and asset. */
const createPositions = (solvers: IntentTerms['solvers']) => {
  const directory = createSolverDirectory(solvers)
  const bySolver = new Map(solvers.map(({ address }) => [address, new Map<string, Position>()]))
  const positionsOf = (account: string): Map<string, Position> | undefined =>
    bySolver.get(directory.ownerOf(account)?.address ?? '')
  return {
    of: (account: string, asset: string): Position | undefined => {
      const held = positionsOf(account)
      const known = held?.get(asset)
      if (held === undefined || known !== undefined) return known
      const position = emptyPosition()
      held.set(asset, position)
      return position
    },
    ofSolver: (account: string): Iterable<Position> => positionsOf(account)?.values() ?? [],
  }
}

/** How long after its first quote a solver is taken to have quoted all its pairs. */
const SETTLED_MS = 15_000

/**
 * The pairs quoted since the start. A pair may be quoted as long as a configured solver has not quoted anything, or has only
 * begun to.
 */
const createQuotedPairs = (solvers: IntentTerms['solvers'], steady: () => number) => {
  const quoted = new Set<string>()
  const begun = new Map<string, number>()
  return {
    add: ({ key, solver, ladder }: Placed): void => {
      if (ladder.length > 0) quoted.add(key)
      if (!begun.has(solver.address)) begun.set(solver.address, steady())
    },
    mayBeQuoted: ({ from, to }: PricedOrder): boolean => {
      if (quoted.has(pairKey(tokenKey(from.token), tokenKey(to.token)))) return true
      const now = steady()
      return solvers.some(({ address }) => now - (begun.get(address) ?? now) < SETTLED_MS)
    },
  }
}

/** The standing quotes by pair and solver; at most one per pair that solvers may quote. */
const createStandingQuotes = (now: () => Instant) => {
  const pairs = new Map<string, Map<string, Standing>>()
  const remove = (key: string, address: string): void => {
    const offers = pairs.get(key)
    if (offers?.delete(address) === true && offers.size === 0) pairs.delete(key)
  }
  return {
    of: ({ from, to }: PricedOrder): readonly Standing[] => {
      const offers = pairs.get(pairKey(tokenKey(from.token), tokenKey(to.token)))
      const at = now()
      return offers === undefined ? [] : [...offers.values()].filter(({ until }) => until > at)
    },
    set: ({ key, ladder, ...rest }: Placed): void => {
      const [first, ...more] = ladder
      if (first === undefined) {
        remove(key, rest.solver.address)
        return
      }
      const offers = pairs.get(key) ?? new Map<string, Standing>()
      pairs.set(key, offers)
      offers.set(rest.solver.address, { ...rest, ladder: [first, ...more] })
    },
    drop: (solver: Solver): void => {
      for (const key of [...pairs.keys()]) remove(key, solver.address)
    },
  }
}
