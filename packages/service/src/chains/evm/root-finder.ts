import { RpcError } from '../rpc/rpc-error.ts'
import type { EvmBlock, EvmHead, WatchedLog } from './evm-chain.ts'
import { higher, type LogReading, lower } from './final-steps.ts'
import type { LogCursor, LogProgress } from './log-progress.ts'

/** Finds final blocks to read a chain's logs from. */
export type RootFinder = {
  /** The block to start from. Throws RpcError WRONG_CHAIN for a chain that was reset since its cursor was stored. */
  readonly first: (head: EvmHead) => Promise<EvmBlock>
  /** A block 1,000 below one that was final and left the chain. Throws as `first`. */
  readonly below: (left: EvmBlock, head: EvmHead) => Promise<EvmBlock>
  /** Throws as `first`. */
  readonly expectSameChain: () => Promise<void>
  /** Progress up to a final block. */
  readonly progressTo: (last: EvmBlock, logs: readonly WatchedLog[]) => LogProgress
}

/** How many blocks are read again if a final block left the chain. */
const REWIND_BLOCKS = 1_000n

/** Knows the chain by its first block, if a quorum of its endpoints have it. */
const createIdentity = ({ chain, from }: LogReading) => {
  let genesisHash = from?.genesisHash
  return {
    genesisHash: () => genesisHash,
    expectSameChain: async (): Promise<void> => {
      const found = await chain.genesisHash()
      if (found !== undefined && genesisHash !== undefined && found !== genesisHash)
        throw new RpcError(
          'WRONG_CHAIN',
          `${chain.chainId} was reset: its first block is ${found}, expected ${genesisHash}; start with an empty database`,
        )
      genesisHash ??= found
    },
  }
}

/**
 * Tells apart a chain that was reset, endpoints that are behind the cursor, and a chain that went back beyond a
 * final block; the last 1,000 blocks of the latter are read again.
 */
export const createRootFinder = (reading: LogReading): RootFinder => {
  const { chain, from, log } = reading
  const { chainId } = chain
  const { genesisHash, expectSameChain } = createIdentity(reading)
  let skipped = 0n

  /** Without a cursor any final block will do, so one that no quorum has reached is given up for a lower one. */
  const newest = async (finalNumber: bigint): Promise<EvmBlock> => {
    try {
      return await chain.finalBlock(higher(finalNumber - skipped, 0n))
    } catch (error) {
      skipped = skipped * 2n + 1n
      throw error
    }
  }
  const rewound = (number: bigint): Promise<EvmBlock> => chain.finalBlock(higher(number - REWIND_BLOCKS, 0n))

  const atCursor = async (cursor: LogCursor, head: EvmHead): Promise<EvmBlock> => {
    const { blockNumber, blockHash, timestampSeconds } = cursor
    const isReached = head.finalNumber >= blockNumber
    const isAnyChain = blockHash === ''
    if (isReached) {
      const block = await chain.finalBlock(blockNumber)
      if (isAnyChain || block.hash === blockHash) return block
    } else if (
      isAnyChain ||
      head.number >= blockNumber ||
      (timestampSeconds !== undefined && head.timestampSeconds <= timestampSeconds)
    )
      throw new RpcError('NODE_BEHIND', `block ${blockNumber}, to read from, is not final to the endpoints`)
    const reason = isReached ? 'block_replaced' : 'chain_is_shorter'
    log('error', 'cursor_not_on_chain', { chainId, cursor: blockNumber, reason })
    return rewound(lower(blockNumber, head.finalNumber))
  }

  return {
    expectSameChain,
    first: async (head) => {
      await expectSameChain()
      return from === undefined ? newest(head.finalNumber) : atCursor(from, head)
    },
    below: async (left, head) => {
      await expectSameChain()
      log('error', 'finality_violated', { chainId, block: left.number })
      return rewound(lower(left.number, head.finalNumber))
    },
    progressTo: ({ number, hash, timestampSeconds }, logs) => ({
      kind: 'final',
      cursor: { blockNumber: number, blockHash: hash, timestampSeconds, genesisHash: genesisHash() },
      timestampSeconds,
      logs,
    }),
  }
}
