/** What an asset of a Stellar network is called there; undefined stands for the native one. */
export type StellarAssetName = { readonly code: string; readonly issuer: string } | undefined

/** Decimals of every asset on Stellar. */
export const STELLAR_DECIMALS = 7
