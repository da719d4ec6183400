import { BlockNotFoundError, type PublicClient } from 'viem'
import { eventually } from './eventually.ts'

type Dropping = {
  readonly reader: Pick<PublicClient, 'getBlock' | 'getBlockNumber' | 'request'>
  /** Replaces the chain's last `depth` blocks with empty ones. */
  readonly reorganise: (depth: number) => Promise<unknown>
}

/**
 * Reorganises a chain from this block on, however many blocks follow it. The chain mines nothing between the read of its
 * head and the reorg. Resolves once the chain has another block of that number.
 */
export const dropBlock = async ({ reader, reorganise }: Dropping, blockNumber: bigint): Promise<void> => {
  const ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    // CAST: viem's schema of public methods lacks those of anvil.
    reader.request({ method, params } as never)
  const wasMining = await ask('anvil_getAutomine', [])
  const { hash } = await reader.getBlock({ blockNumber })
  await eventually(`block ${blockNumber} is dropped`, async () => {
    // A reorg shows a shorter branch at first.
    const block = await reader.getBlock({ blockNumber }).catch((error: unknown) => {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    })
    if (block?.hash !== hash) return block !== undefined
    await ask('evm_setAutomine', [false])
    try {
      // A block that was on its way may still be mined before the reorg; then it is repeated.
      await reorganise(Number((await reader.getBlockNumber({ cacheTime: 0 })) - blockNumber) + 1)
    } finally {
      await ask('evm_setAutomine', [wasMining])
    }
    return false
  })
}
