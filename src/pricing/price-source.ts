/** USD per whole token, scaled by 10^18. */
export type UsdPrice = bigint

export const USD_SCALE = 10n ** 18n

/** Prices by `tokenKey`, read from memory; undefined when there is none, it is stale, or sources conflict. */
export type PriceSource = (tokenKey: string) => UsdPrice | undefined
