/** The Stellar SDK without its clients of servers. */
export type StellarSdk = typeof import('@stellar/stellar-sdk/base')

/** The SDK, loaded at the first call: that costs the better part of a second, which nothing should wait for in vain. */
export const loadStellarSdk = (): Promise<StellarSdk> => import('@stellar/stellar-sdk/base')
