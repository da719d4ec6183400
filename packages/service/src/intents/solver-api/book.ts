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
import { createClaims, keysOfPriced } from './claims.ts'
import type { Balance } from './position.ts'
import { createPositions, type Declaration, type Positions } from './positions.ts'
import type { InventoryEntry, RefusedReason, Rung, StandingQuote } from './protocol.ts'
import type { Asker, Keys, Source } from './quote-reservations.ts'
import { createReservations, type Reservations } from './reservations.ts'
import type { SolverDirectory } from './solver-directory.ts'

/** Why a solver's message was rejected; none of it was applied. */
export type BookRejection = { readonly reason: RefusedReason; readonly message: string }

/** Whether a solver's standing quote of a pair, given as the keys of its assets, is taken. */
export type Admits = (solver: Solver, pair: string, ladder: readonly Rung[]) => boolean

/** All standing quotes and the solvers' free inventory, in memory. */
export type Book = {
  /** Prices an order for an asker; takes microseconds. */
  readonly price: (order: PricedOrder, asker: Asker) => BookAnswer
  /**
   * Reserves the output of an answer's best quote in its solver's inventory until its `openDeadline`, in place of the
   * client's older quote of the sender for the pair. False if the inventory does not (or no longer) cover it for this asker, or the
   * solver or the asset is unknown: then the answer must not be given.
   */
  readonly reserve: (orderId: OrderId, order: IntentOrder, asker: Asker) => boolean
  /** Keeps an amount quotable to the asker for some seconds that a decline has announced as its maximum. */
  readonly hold: (order: PricedOrder, asker: Asker) => void
  /** Restores the reservation of a quote given before a restart, covered or not. */
  readonly restore: (orderId: OrderId, order: IntentOrder) => void
  /** Ends reservations of a sender that its balance, in base units, no longer covers; oldest first. */
  readonly setHeld: (source: Source, held: bigint) => void
  /** The senders whose balance covers reservations, with the tokens that they pay. */
  readonly sources: Reservations['sources']
  /**
   * Commits an order whose deposit was seen, until its `fillDeadline`, in place of its quote's reservation. Idempotent.
   */
  readonly commit: (orderId: OrderId, order: IntentOrder) => void
  /** False if the order is known to have been committed without a reservation, or after deposits that left too little for it. */
  readonly wasReserved: Reservations['wasReserved']
  /** Counts a committed order's output as paid in a destination block that may still be reverted. */
  readonly seenFilled: Reservations['seenFilled']
  /**
   * Ends a filled order's reservation as soon as its solver declares an inventory as of this destination block or later.
   */
  readonly filled: (orderId: OrderId, block: number) => void
  /** Ends a committed order that will not be filled: it was declined, refunded, or its deposit is gone. */
  readonly release: (orderId: OrderId) => void
  /** Replaces the solver's standing quotes of the named pairs; all or none. One that is not admitted leaves the pair empty. */
  readonly upsertQuotes: (solver: Solver, quotes: readonly StandingQuote[]) => BookRejection | undefined
  /** Replaces the solver's inventory of the named assets; all or none. */
  readonly setInventory: (solver: Solver, entries: readonly InventoryEntry[]) => BookRejection | undefined
  /** The inventories that are declared now, above zero, in base units, with what is known of the accounts' balances. */
  readonly declarations: () => readonly Declaration[]
  /** Sets what a solver's account holds of an asset: no more of its declared inventory counts. */
  readonly setBalance: (declaration: Pick<Declaration, 'solver' | 'asset'>, balance: Balance) => void
  /** The chains into which a solver has valid standing quotes now; it goes through the quotes only as far as it is read. */
  readonly quotedInto: (solver: Pick<Solver, 'address'>) => Iterable<ChainId>
  /** Drops the solver's standing quotes and inventory; its reservations stay. */
  readonly leave: (solver: Solver) => void
}

type Dependencies = Clock & {
  readonly directory: Pick<SolverDirectory, 'all' | 'ownerOf'>
  /** The key (`tokenKey`) of an asset that solvers may quote, from any text form of its address. */
  readonly assetKey: (chain: ChainId, token: string) => string | undefined
  /** An offer that is not shown is priced only where there is no other; absent, all are shown. */
  readonly isShown?: IsShown
  /** Asked for every standing quote with rungs; absent, all are taken. */
  readonly admits?: Admits
  /** Whether declared inventory counts only once `setBalance` was called for it; absent, it counts until then. */
  readonly needsBalances?: boolean
}

/** Creates an empty book. It reads the clock, so expired entries are neither offered nor counted. */
export const createBook = (deps: Dependencies): Book => {
  const { directory, assetKey, isShown, admits, needsBalances = false, now, steady } = deps
  const reservations = createReservations({ now, steady, needsBalances })
  const positions = createPositions(directory)
  const standing = createStandingQuotes(steady)
  const history = createQuotedPairs(directory.all, steady)

  const claims = createClaims({ assetKey, positions, now })

  const priceOf = (order: PricedOrder, asker: Asker, keys: Keys): BookAnswer =>
    answerFrom(standing.of(order), order, reservations.meansOf(asker, keys), isShown)
  const { place, locate } = createIntake({ assetKey, positions, reservations, steady })
  return {
    price: (order, asker) => {
      const answer = priceOf(order, asker, keysOfPriced(order))
      if (!('declined' in answer) || answer.declined !== 'no_quotes') return answer
      return history.mayBeQuoted(order) ? answer : { declined: 'never_quoted' }
    },
    reserve: (orderId, order, asker) => {
      const reservation = claims.ofOrder(orderId, order)
      return reservation !== undefined && reservations.reserve(reservation, asker)
    },
    hold: (order, asker) => {
      const keys = keysOfPriced(order)
      const answer = priceOf(order, asker, keys)
      const claim = 'offers' in answer ? claims.ofPrice(order, answer.offers[0], keys) : undefined
      if (claim !== undefined) reservations.hold(claim, asker)
    },
    setHeld: (source, held) => {
      const key = claims.sourceKeyOf(source)
      if (key !== undefined) reservations.setHeld(key, held)
    },
    sources: reservations.sources,
    restore: (orderId, order) => {
      const reservation = claims.ofOrder(orderId, order)
      if (reservation !== undefined) reservations.restore(reservation)
    },
    commit: (orderId, order) => {
      const reservation = claims.ofOrder(orderId, order)
      if (reservation !== undefined) reservations.commit(reservation)
    },
    wasReserved: reservations.wasReserved,
    seenFilled: reservations.seenFilled,
    filled: reservations.filled,
    release: reservations.release,
    upsertQuotes: (solver, quotes) => {
      const placed = allOf(quotes.map((quote) => place(solver, quote)))
      if ('reason' in placed) return placed
      for (const quote of placed.values) {
        const { key, ladder } = quote
        const isTaken = ladder.length === 0 || admits === undefined || admits(solver, key, ladder)
        standing.set(isTaken ? quote : { ...quote, ladder: [] })
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
    ...{ declarations: positions.declarations, quotedInto: standing.chainsOf },
    setBalance: ({ solver, asset }, balance) => {
      const position = positions.of(solver, asset)
      if (position !== undefined) reservations.setBalance(position, balance)
    },
    leave: (solver) => {
      standing.drop(solver)
      for (const position of positions.ofSolver(solver.address))
        reservations.setInventory(position, NOTHING, NO_BLOCK)
    },
  }
}

type IntakeDeps = Pick<Dependencies, 'assetKey' | 'steady'> & {
  readonly positions: Positions
  readonly reservations: Reservations
}

/** Reads the entries of solvers' messages; a rejection for unknown assets. */
const createIntake = ({ assetKey, positions, reservations, steady }: IntakeDeps) => {
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
  return { place, locate }
}

const NOTHING = baseUnits(0n)
const NO_BLOCK = -1

type Keyed = { readonly key: string }
type Placed = Keyed & Omit<Standing, 'ladder'> & { readonly ladder: readonly Rung[] }
type Declared = Keyed & { readonly apply: () => void }

const pairKey = (from: string, to: string): string => `${from} ${to}`

/** Where the text of a pair, `<chain> <token> <chain> <token>`, has the chain of its output. */
const CHAIN_OF_OUTPUT = 2

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
    *chainsOf({ address }: Pick<Solver, 'address'>): Iterable<ChainId> {
      const at = now()
      for (const [key, offers] of pairs)
        if ((offers.get(address)?.until ?? at) > at) yield key.split(' ').at(CHAIN_OF_OUTPUT) ?? ''
    },
    drop: (solver: Solver): void => {
      for (const key of [...pairs.keys()]) remove(key, solver.address)
    },
  }
}
