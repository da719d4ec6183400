import type { EvmBalanceQuery } from '@openrfq/sdk/evm'
import { readBalance } from './wallets/balance.ts'
import type { ChainNode } from './wallets/chain-node.ts'

/** A balance before and after in base units, and the minimum change that a quote promised (negative for a payment). */
export type BalanceProof = {
  readonly before: bigint
  readonly after: bigint
  readonly promised: bigint
  readonly holds: boolean
}

/**
 * Reads the balance now; the returned function reads it again and compares the change with the promise. A floating
 * output is satisfied from its minimum, `atLeast`.
 */
export const watchBalance = async (
  node: ChainNode,
  holding: Omit<EvmBalanceQuery, 'rpcUrl'>,
): Promise<(promised: bigint, atLeast?: bigint) => Promise<BalanceProof>> => {
  const before = await readBalance(node, holding)
  return async (promised, atLeast = promised) => {
    const after = await readBalance(node, holding)
    const change = after - before
    return {
      before,
      after,
      promised,
      holds: change === promised || (atLeast < promised && change >= atLeast),
    }
  }
}
