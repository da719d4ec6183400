import { baseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { createConditionTimer } from '../../lib/condition-timer.ts'
import { assetKey, type SolverAsset } from './assets.ts'
import { type Commitments, gives, type SeenOrder } from './commitments.ts'
import type { Strategy } from './config.ts'
import type { OrderCosts } from './order-costs.ts'
import { ladderOf } from './pricing.ts'

type Deps = {
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  readonly commitments: Pick<Commitments, 'wasQuoted'>
  readonly costs: Pick<OrderCosts, 'isKnowable' | 'inUnitsOf'>
  /** Base units of an asset that are not in signed fills; undefined if unknown. */
  readonly freeOf: (asset: SolverAsset) => bigint | undefined
  readonly strategy: Strategy
  readonly steady: () => Instant
}

/** Judges the prices of orders. */
export type FairPrice = {
  /**
   * Whether the solver quoted an order's price, or would quote it now for its free inventory and at the present gas prices, by
   * every rule of its strategy. Undefined while that is not known, and in the first seconds in which it is false: a balance may be spent in
   * one block and be back in the next.
   */
  readonly isFair: (seen: SeenOrder) => boolean | undefined
  /** Drops what is remembered of other orders. */
  readonly keep: (isKept: (orderId: OrderId) => boolean) => void
}

const GRACE_MS = 5_000

/** Creates the judge. */
export const createFairPrice = (deps: Deps): FairPrice => {
  const { assets, commitments, costs, freeOf, strategy, steady } = deps
  const unfairSince = createConditionTimer<OrderId>(steady)

  /** Whether the solver would quote the order now, as if no other order were waiting for its fill. */
  const wouldQuote = (order: SeenOrder['order']): boolean | undefined => {
    const input = assets.get(assetKey(order.originChain, order.inputToken))
    const output = assets.get(assetKey(order.destinationChain, order.outputToken))
    if (input?.price === undefined || output?.price === undefined) return false
    const { originChain, destinationChain } = order
    const direction = {
      originChain,
      destinationChain,
      settler: order.proven ? 'intent' : 'attested',
    } as const
    if (!costs.isKnowable(direction)) return false
    const [free, cost] = [freeOf(output), costs.inUnitsOf(output.price, direction)]
    if (free === undefined || cost === undefined) return undefined
    const pair = { input: input.price, output: output.price }
    return free > 0n && gives(ladderOf(pair, strategy, baseUnits(free), cost), order)
  }

  return {
    isFair: (seen) => {
      const isFair = commitments.wasQuoted(seen) || wouldQuote(seen.order)
      const unfairMs = unfairSince.heldMs(seen.orderId, isFair === false)
      return isFair === false && unfairMs < GRACE_MS ? undefined : isFair
    },
    keep: unfairSince.keep,
  }
}
