import { type IntentOrder, repaidInput } from '../../core/intent-order.ts'
import { assetKey, type SolverAsset } from './assets.ts'
import { usdOfUnits } from './pricing.ts'

const BPS = 10_000n

/**
 * Whether a transaction that costs so much USD, scaled by 10^18, costs at most a share of what these orders repay. Not while the
 * cost is unknown; repayments without a price count as nothing.
 */
export const isWorth = (
  assets: ReadonlyMap<string, Pick<SolverAsset, 'price'>>,
  orders: readonly IntentOrder[],
  cost: bigint | undefined,
  shareBps: number,
): boolean => {
  if (cost === undefined) return false
  let repaid = 0n
  for (const order of orders) {
    const price = assets.get(assetKey(order.originChain, order.inputToken))?.price
    if (price !== undefined) repaid += usdOfUnits(repaidInput(order), price)
  }
  return cost * BPS <= repaid * BigInt(shareBps)
}
