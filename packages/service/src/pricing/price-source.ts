import type { TokenId } from '../core/token-map.ts'

/** USD per whole token, scaled by 10^`USD_DIGITS`. */
export type UsdPrice = bigint

/** The decimals of a USD price. */
export const USD_DIGITS = 18

/** Prices of tokens, from memory; undefined if there is none, it is stale, or sources conflict. */
export type PriceSource = (token: TokenId) => UsdPrice | undefined
