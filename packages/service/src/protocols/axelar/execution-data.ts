import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { calldataWords, l1Wei } from '../../chains/evm/l1-fee.ts'

/** Words in the calldata with which a relayer executes a message: names, addresses, amounts and the payload. */
const EXECUTION_WORDS = 32
const EXECUTION_DATA = `0x${calldataWords(EXECUTION_WORDS)}`

/**
 * What the data of an execution costs on a chain beside its gas, in wei, as the chain's own oracle tells it; 0 for a chain that
 * charges nothing for it, or whose oracle is unknown.
 */
export const executionWei = (head: Pick<EvmHead, 'l1Cost'> | undefined): bigint =>
  l1Wei(head?.l1Cost, EXECUTION_DATA)
