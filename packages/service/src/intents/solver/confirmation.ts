import { usdPrice } from '../../pricing/usd.ts'
import type { Settlement } from './config.ts'
import { type PricedToken, usdOfUnits } from './pricing.ts'

/** A deposit on its chain: `depthBlocks` is the number of its confirmations, `amount` is in base units of `token`. */
type SeenDeposit = {
  readonly isFinal: boolean
  readonly depthBlocks: bigint
  readonly amount: bigint
  /** Undefined for an asset without a price. */
  readonly token: PricedToken | undefined
}

/**
 * Whether a deposit is deep enough: always if final, earlier only if a tier of the settlement
 * rules allows it for the deposit's value. An asset without a price waits for finality.
 */
export const isDeepEnough = (
  { confirmations }: Pick<Settlement, 'confirmations'>,
  { isFinal, depthBlocks, amount, token }: SeenDeposit,
): boolean => {
  if (isFinal) return true
  if (token === undefined) return false
  const worth = usdOfUnits(amount, token)
  const tier = confirmations.find(({ upToUsd }) => worth <= (usdPrice(upToUsd) ?? 0n))
  return tier !== undefined && depthBlocks >= BigInt(tier.blocks)
}
