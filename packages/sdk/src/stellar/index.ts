/** Execution on Stellar, with @stellar/stellar-sdk, which is loaded at the first call that needs it. */
export { connectStellar } from './connect-stellar.ts'
export { executeStellarQuote, type StellarExecution } from './execute-stellar-quote.ts'
export { refundStellarDeposit, type StellarRefund } from './refund-stellar-deposit.ts'
export { type IssuedAsset, passphraseOf, type StellarAssetName, type StellarAssets } from './stellar-asset.ts'
export { readStellarBalance, type StellarBalanceQuery } from './stellar-balance.ts'
export { findStellarAsset, stellarTokenOf } from './stellar-token.ts'
export { type StellarPaymentRequest, stellarPaymentUri } from './stellar-uri.ts'
export type { StellarWallet } from './stellar-wallet.ts'
