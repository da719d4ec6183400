import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { calldataWords, weiBesideGas } from '../../chains/evm/l1-fee.ts'

/** Words in the calldata with which a relayer executes a message: names, addresses, amounts and the payload. */
const EXECUTION_WORDS = 32
const EXECUTION_DATA = `0x${calldataWords(EXECUTION_WORDS)}`

/** What a rollup charges for an execution beside its gas, in wei there: once, and for each million units of gas. */
export type RollupCharge = { readonly once: bigint; readonly perMillionGas: bigint }

/**
 * What a chain charges for an execution beside its gas, as its own oracle tells it; nothing for a chain without one, or whose oracle is
 * unknown.
 */
export const rollupCharge = (head: Pick<EvmHead, 'l1Cost'> | undefined): RollupCharge => ({
  once: weiBesideGas(head?.l1Cost, EXECUTION_DATA, 0n),
  perMillionGas: head?.l1Cost?.operator?.perMillionGas ?? 0n,
})

/** The same for an execution with so much gas, in wei, rounded up. */
export const executionWei = (head: Pick<EvmHead, 'l1Cost'> | undefined, gas: bigint): bigint =>
  weiBesideGas(head?.l1Cost, EXECUTION_DATA, gas)
