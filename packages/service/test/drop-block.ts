import type { PublicClient } from 'viem'

type Dropping = {
  readonly reader: Pick<PublicClient, 'getBlock' | 'getBlockNumber'>
  /** Replaces the chain's last `depth` blocks with empty ones. */
  readonly reorganise: (depth: number) => Promise<unknown>
}

/**
 * Reorganises a chain from this block on, however many blocks follow it. Resolves once the chain has another block of
 * that number.
 */
export const dropBlock = async ({ reader, reorganise }: Dropping, blockNumber: bigint): Promise<void> => {
  const { hash } = await reader.getBlock({ blockNumber })
  // A block may be mined between the read of the head and the reorg.
  while ((await reader.getBlock({ blockNumber })).hash === hash)
    await reorganise(Number((await reader.getBlockNumber()) - blockNumber) + 1)
}
