/** Execution on Solana, with @solana/kit. */
export { connectSolana, type SolanaWallet } from './connect-solana.ts'
export { executeSolanaQuote, type SolanaExecution } from './execute-solana-quote.ts'
export { refundSolanaQuote, solanaRefundOf } from './refund-solana-quote.ts'
export { readSolanaBalance, type SolanaBalanceQuery } from './solana-balance.ts'
export { solanaPayer } from './solana-payer.ts'
export { connectSolanaWallet, type StandardAccount, type StandardWallet } from './standard-wallet.ts'
