/** Execution on EVM chains, with viem. */
export * from './connect-evm.ts'
export * from './evm-balance.ts'
export * from './execute-evm.ts'
