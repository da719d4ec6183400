/** The Stellar SDK without its server clients. */
export type StellarSdk = typeof import('@stellar/stellar-sdk/base')

/** Lazy-loads the SDK: importing it takes most of a second. */
export const loadStellarSdk = (): Promise<StellarSdk> => import('@stellar/stellar-sdk/base')
