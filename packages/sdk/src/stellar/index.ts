/** Execution on Stellar, with @stellar/stellar-sdk. */
export * from './execute-stellar.ts'
export * from './stellar-asset.ts'
export * from './stellar-balance.ts'
export * from './stellar-node.ts'
export * from './stellar-token.ts'
export * from './stellar-uri.ts'
