import { usdPrice } from '../../pricing/usd.ts'
import type { Settlement } from './config.ts'
import { type PricedToken, usdOfUnits } from './pricing.ts'

/** A deposit on its chain: `depthBlocks` is the number of its confirmations. */
export type DepositDepth = { readonly isFinal: boolean; readonly depthBlocks: bigint }

/**
 * Whether a deposit of `amount` base units is deep enough: always if final, earlier only if a tier of the settlement
 * rules allows it for the deposit's value. An asset without a price waits for finality.
 */
export const isDeepEnough = (
  { confirmations }: Pick<Settlement, 'confirmations'>,
  { isFinal, depthBlocks }: DepositDepth,
  amount: bigint,
  token: PricedToken | undefined,
): boolean => {
  if (isFinal) return true
  if (token === undefined) return false
  const worth = usdOfUnits(amount, token)
  const tier = confirmations.find(({ upToUsd }) => worth <= (usdPrice(upToUsd) ?? 0n))
  return tier !== undefined && depthBlocks >= BigInt(tier.blocks)
}
