import type { EvmCall, EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'

/** The largest batch that all public providers take. */
const BATCH = 3

/** Reads contracts in small batches, one after the other; undefined for a revert. Rejects if the chain cannot be read. */
export const readInSmallBatches = async (
  chain: Pick<EvmChain, 'callMany'>,
  calls: readonly EvmCall[],
): Promise<readonly EvmResult[]> => {
  const results: EvmResult[] = []
  for (let first = 0; first < calls.length; first += BATCH)
    results.push(...(await chain.callMany(calls.slice(first, first + BATCH))))
  return results
}
