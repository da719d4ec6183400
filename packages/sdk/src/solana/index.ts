/** Execution on Solana, with @solana/kit. */
export * from './connect-solana.ts'
export * from './execute-solana.ts'
export * from './solana-balance.ts'
export * from './solana-message.ts'
