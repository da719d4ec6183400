import type { NetworkToken } from '../core/network.ts'
import { createTokenMap } from '../core/token-map.ts'
import type { PriceSource, UsdPrice } from './price-source.ts'
import { usdPrice } from './usd.ts'

/**
 * The prices that the operator configured with the tokens; they never become stale. A token without one has no price.
 */
export const fixedPrices = (tokens: readonly NetworkToken[]): PriceSource => {
  const prices = createTokenMap<UsdPrice>()
  for (const token of tokens) {
    const price = token.usdPrice === undefined ? undefined : usdPrice(token.usdPrice)
    if (price !== undefined && price > 0n) prices.set(token, price)
  }
  return prices.get
}
