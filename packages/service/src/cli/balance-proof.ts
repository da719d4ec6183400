import type { EvmBalanceQuery } from '@openrfq/sdk/evm'
import { readBalance } from './wallets/balance.ts'
import type { ChainNode } from './wallets/chain-node.ts'

/** A balance before and after in base units, and the change a quote promised (negative for what is paid), at least. */
export type BalanceProof = {
  readonly before: bigint
  readonly after: bigint
  readonly promised: bigint
  readonly holds: boolean
}

/**
 * Reads the balance now; the given-back function reads it again and compares the change with the promised one. A floating
 * output holds from its minimum, `atLeast`, on.
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
