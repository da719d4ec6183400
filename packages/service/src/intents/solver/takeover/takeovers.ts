import type { ChainId } from '@openrfq/sdk'
import { isSameAddress } from '../../../core/comparable-address.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import type { Claim, Store } from '../../../store/store.ts'
import { orderIdOf } from '../../settlers/settler-contract.ts'
import { assetKey, type SolverAsset, type SolverChain } from '../assets.ts'
import { createFairPrice, type FairPrice } from '../fair-price.ts'
import type { OrderTracker, TrackedOrder } from '../order-tracker.ts'
import { createDeclineEnds, type DeclineEnds } from './decline-ends.ts'

/** The orders of other solvers that this one may fill. */
export type Takeovers = {
  /** Tracks an order that the service offers because its solver does not fill it; nothing of the offer is believed. */
  readonly offer: (orderId: OrderId, order: IntentOrder) => void
  /** Reads what decides on the orders. Never rejects. */
  readonly look: (orders: readonly TrackedOrder[]) => Promise<void>
  /** The block of the origin from which on the order's own solver can decline it no more; undefined before it is known. */
  readonly undeclinableSince: DeclineEnds['blockOf']
  /** Whether an order leaves the solver its margin for takeovers, by all other rules of its quotes. */
  readonly isFair: FairPrice['isFair']
  /** Stores an order before its fill is signed: a restart must know it to prove the fill. Rejects if the store fails. */
  readonly keep: (known: TrackedOrder) => Promise<void>
  /** Tracks the stored orders again, and forgets those that are over. Rejects if the store fails. */
  readonly round: () => Promise<void>
  /** Drops what is remembered of orders that are not tracked. */
  readonly prune: () => void
}

type Deps = Omit<Parameters<typeof createFairPrice>[0], 'commitments' | 'assets'> &
  Pick<Parameters<typeof createDeclineEnds>[0], 'settlement'> & {
    readonly chains: ReadonlyMap<ChainId, SolverChain>
    readonly assets: ReadonlyMap<string, SolverAsset>
    readonly tracker: Pick<OrderTracker, 'adopt' | 'find' | 'orders'>
    readonly store: Pick<Store, 'addClaim' | 'listClaims' | 'removeClaim' | 'findCursor'>
    readonly account: string
    readonly log: Log
  }

/** Offers that wait at the same time, of all depositors and of one. */
const MAX_OFFERS = 500
const MAX_OF_DEPOSITOR = 20
const PAGE = 1_000

/** Whether an offered order is one that this solver can fill and be repaid for. */
const isServed = ({ chains, assets, account }: Deps, orderId: OrderId, order: IntentOrder): boolean => {
  const [origin, destination] = [chains.get(order.originChain), chains.get(order.destinationChain)]
  if (order.proven === undefined || origin === undefined || destination === undefined) return false
  const parts = [order.recipient, order.filler, order.solver]
  if (parts.some((party) => isSameAddress(party, account))) return false
  const tokens = [
    assetKey(order.originChain, order.inputToken),
    assetKey(order.destinationChain, order.outputToken),
  ]
  if (tokens.some((key) => assets.get(key)?.price === undefined)) return false
  if (!isSameAddress(order.originSettler, origin.settler)) return false
  if (!isSameAddress(order.destinationSettler, destination.settler)) return false
  try {
    return orderIdOf(order) === orderId
  } catch {
    // Some field is none of an order's.
    return false
  }
}

/** The orders that the store keeps for their claims. */
const storedOf = async (store: Deps['store']): Promise<readonly Claim[]> => {
  const found: Claim[] = []
  for (let after: OrderId | undefined; ; ) {
    const page = await store.listClaims(PAGE, after)
    found.push(...page.filter(({ order }) => order.proven !== undefined))
    after = page.at(-1)?.orderId
    if (page.length < PAGE) return found
  }
}

/** An order is taken over at once, so that no quote's lifetime adds to its risk. */
const createTakeoverPrice = (deps: Deps): FairPrice => {
  const { takeoverSpreadBps: spreadBps } = deps.strategy
  return createFairPrice({
    ...deps,
    commitments: { wasQuoted: () => false },
    strategy: { ...deps.strategy, spreadBps, volatilityBps: 0, fixedCostUsd: '0' },
  })
}

/** Creates the takeovers of a solver. The first round must end before the chains are watched. */
export const createTakeovers = (deps: Deps): Takeovers => {
  const { tracker, store, log } = deps
  const declineEnds = createDeclineEnds(deps)
  const price = createTakeoverPrice(deps)
  let isRestored = false

  const hasRoom = ({ depositor }: IntentOrder): boolean => {
    const waiting = tracker.orders().filter(({ isTakeover, filled }) => isTakeover && filled === undefined)
    const ofDepositor = waiting.filter(({ order }) => isSameAddress(order.depositor, depositor))
    return waiting.length < MAX_OFFERS && ofDepositor.length < MAX_OF_DEPOSITOR
  }

  /** Where the chains are read again from after a restart: nothing that concerns an order that is not over lies before. */
  const cursorOf = async (chainId: ChainId): Promise<bigint> =>
    (await store.findCursor(chainId))?.blockNumber ?? 0n
  const restore = async ({ orderId, order }: Claim): Promise<boolean> => {
    if (isRestored) return tracker.adopt(orderId, order)
    const [origin, destination] = [await cursorOf(order.originChain), await cursorOf(order.destinationChain)]
    return tracker.adopt(orderId, order, { origin: origin + 1n, destination: destination + 1n })
  }

  return {
    offer: (orderId, order) => {
      if (!isServed(deps, orderId, order) || tracker.find(orderId) !== undefined) return
      if (!hasRoom(order)) return log('warn', 'too_many_orders', { orderId })
      tracker.adopt(orderId, order)
    },
    look: declineEnds.look,
    undeclinableSince: declineEnds.blockOf,
    isFair: price.isFair,
    keep: async ({ orderId, order }) => {
      await store.addClaim({ orderId, order, fillTxHash: undefined })
      log('info', 'order_takeover', { orderId, solver: order.solver })
    },
    round: async () => {
      for (const claim of await storedOf(store))
        if (!(await restore(claim))) await store.removeClaim(claim.orderId)
      isRestored = true
    },
    prune: () => {
      const isTracked = (orderId: OrderId): boolean => tracker.find(orderId) !== undefined
      declineEnds.keep(isTracked)
      price.keep(isTracked)
    },
  }
}
