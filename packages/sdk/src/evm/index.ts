/** Execution on EVM chains, with viem. */
export { connectEvm } from './connect-evm.ts'
export type { Eip1193Provider } from './eip1193-provider.ts'
export { type EvmBalanceQuery, readEvmBalance } from './evm-balance.ts'
export { type EvmPayerWallet, evmPayer } from './evm-payer.ts'
export { type EvmExecution, type EvmWallet, executeEvmQuote } from './execute-evm-quote.ts'
export { type GaslessWallet, gaslessPayer } from './gasless-payer.ts'
export { injectedPayer } from './injected-payer.ts'
export { type SendCalls, toSendCalls } from './send-calls.ts'
