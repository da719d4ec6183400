import { BlockNotFoundError, type PublicClient } from 'viem'
import { eventually } from './eventually.ts'

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
  await eventually(`block ${blockNumber} is dropped`, async () => {
    // A reorg shows a shorter branch at first.
    const block = await reader.getBlock({ blockNumber }).catch((error: unknown) => {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    })
    if (block?.hash !== hash) return block !== undefined
    // A block may be mined between this read of the head and the reorg; then it is repeated.
    await reorganise(Number((await reader.getBlockNumber()) - blockNumber) + 1)
    return false
  })
}
