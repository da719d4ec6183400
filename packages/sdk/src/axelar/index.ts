/** Axelar's mainnet and testnet as guards of `swap` know them. */
export type { AxelarGuards } from './axelar-guards.ts'
export { axelarMainnet } from './networks/mainnet.ts'
export { axelarTestnet } from './networks/testnet.ts'
