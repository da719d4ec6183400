import type { Instant } from '../../core/instant.ts'
import { type IntentOrder, type OrderId, repaidInput } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'
import { type Ladder, priceOn } from '../solver-api/ladder.ts'
import type { Rung } from '../solver-api/protocol.ts'
import { assetKey, type SolverAsset } from './assets.ts'

type Priced = Pick<
  IntentOrder,
  | 'originChain'
  | 'inputToken'
  | 'inputAmount'
  | 'destinationChain'
  | 'outputToken'
  | 'outputAmount'
  | 'proven'
>

/** An order and when the solver first saw it. */
export type SeenOrder = { readonly orderId: OrderId; readonly order: Priced; readonly firstSeenAt: Instant }

/**
 * What the solver has to answer for: the prices that it published, and the orders that the service sent a notice of. In
 * memory only, because the service sends its notices again after each login.
 */
export type Commitments = {
  /** Remembers a published ladder, which replaces the pair's earlier one; an empty ladder withdraws it. */
  readonly publish: (
    pair: { readonly from: Pick<SolverAsset, 'key'>; readonly to: Pick<SolverAsset, 'key'> },
    ladder: readonly Rung[],
    validForMs: number,
  ) => void
  /** Sets how long the service's quotes may be deposited for. */
  readonly setLifetime: (seconds: number) => void
  /** Remembers an order that the service sent a notice of. */
  readonly announce: (orderId: OrderId) => void
  readonly isAnnounced: (orderId: OrderId) => boolean
  /**
   * Whether a ladder from which the service could have quoted the order, up to when the solver first saw it, gives at least
   * its output. Stays true for an order and its output.
   */
  readonly wasQuoted: (seen: SeenOrder) => boolean
  /** Whether the order is known to be quoted, or was announced. */
  readonly isCommitted: (orderId: OrderId) => boolean
}

type Published = { readonly ladder: Ladder; readonly until: Instant }

const MAX_ORDERS = 50_000
/** Changes of a pair's ladder that are remembered; a pair changes at most once a second. */
const MAX_LADDERS = 900
/** For the way of a quote to the service, and of a deposit to the solver. */
const DELAY_MS = 10_000
/** A service's longer lifetime is not believed: it would let everybody choose among old prices. */
const MAX_LIFETIME_MS = 600_000

const isLadder = (rungs: readonly Rung[]): rungs is Ladder => rungs.length > 0

const pairKey = (from: string, to: string): string => `${from} ${to}`

/** Whether a ladder gives at least an order's output for what is repaid of its input. */
export const gives = (rungs: readonly Rung[], order: Priced): boolean => {
  const price = isLadder(rungs) ? priceOn(rungs, 'EXACT_INPUT', repaidInput(order)) : undefined
  return price !== undefined && order.outputAmount <= price.output
}

/** Creates the commitments of a solver that has published nothing yet; `now` is the steady time. */
export const createCommitments = (now: () => Instant): Commitments => {
  const ladders = new Map<string, readonly Published[]>()
  const announced = createLru<OrderId, true>(MAX_ORDERS)
  /** The highest output that was quoted. */
  const quoted = createLru<OrderId, bigint>(MAX_ORDERS)
  let lifetimeMs = 0

  /** The first moment from which a ladder had to be valid for an order first seen at `seenAt`. */
  const since = (seenAt: Instant): Instant => seenAt - lifetimeMs - DELAY_MS

  return {
    publish: ({ from, to }, rungs, validForMs) => {
      const key = pairKey(from.key, to.key)
      const kept = (ladders.get(key) ?? [])
        .map((one, place, all) =>
          place === all.length - 1 ? { ...one, until: Math.min(one.until, now()) } : one,
        )
        .filter(({ until }) => until >= since(now()))
      const fresh = isLadder(rungs) ? [{ ladder: rungs, until: now() + validForMs }] : []
      ladders.set(key, [...kept, ...fresh].slice(-MAX_LADDERS))
    },
    setLifetime: (seconds) => {
      lifetimeMs = Math.min(seconds * 1000, MAX_LIFETIME_MS)
    },
    announce: (orderId) => announced.set(orderId, true),
    isAnnounced: (orderId) => announced.get(orderId) === true,
    wasQuoted: ({ orderId, order, firstSeenAt }) => {
      if (order.outputAmount <= (quoted.get(orderId) ?? -1n)) return true
      const { originChain, inputToken, destinationChain, outputToken } = order
      const key = pairKey(assetKey(originChain, inputToken), assetKey(destinationChain, outputToken))
      const from = since(firstSeenAt)
      const known = ladders.get(key) ?? []
      if (!known.some(({ ladder, until }) => until >= from && gives(ladder, order))) return false
      quoted.set(orderId, order.outputAmount)
      return true
    },
    isCommitted: (orderId) => quoted.get(orderId) !== undefined || announced.get(orderId) === true,
  }
}
