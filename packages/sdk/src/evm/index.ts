/** Execution on EVM chains, with viem. */
export { connectEvm } from './connect-evm.ts'
export { type EvmBalanceQuery, readEvmBalance } from './evm-balance.ts'
export { type EvmExecution, type EvmWallet, executeEvmQuote } from './execute-evm-quote.ts'
