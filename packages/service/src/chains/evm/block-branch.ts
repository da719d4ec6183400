import { RpcError } from '../rpc/rpc-error.ts'
import type { EvmBlock, WatchedLog } from './evm-chain.ts'

/** A block that is not final yet, with its watched logs. */
type BranchBlock = { readonly block: EvmBlock; readonly logs: readonly WatchedLog[] }

/** The processed blocks above the newest processed final one, each the child of the previous. */
export type BlockBranch = {
  /** The newest block; the root if the branch is empty. */
  readonly tip: () => EvmBlock
  /** The final block below the branch. */
  readonly root: () => EvmBlock
  readonly size: () => number
  /** The hash at a block number from root to tip. */
  readonly hashAt: (number: bigint) => string | undefined
  readonly append: (block: EvmBlock, logs: readonly WatchedLog[]) => void
  /** The logs of the blocks above the number, newest block first, in the order to remove them. */
  readonly logsAbove: (number: bigint) => readonly WatchedLog[]
  readonly dropAbove: (number: bigint) => void
  /** The logs up to a block of the branch, oldest first. */
  readonly logsUpTo: (number: bigint) => readonly WatchedLog[]
  readonly blockAt: (number: bigint) => EvmBlock | undefined
  /** Makes a block of the branch its root. */
  readonly settle: (number: bigint) => void
}

/** Creates an empty branch on a final block. */
export const createBlockBranch = (root: EvmBlock): BlockBranch => {
  let final = root
  let blocks: BranchBlock[] = []
  const tip = (): EvmBlock => blocks.at(-1)?.block ?? final
  const blockAt = (number: bigint): EvmBlock | undefined =>
    number === final.number ? final : blocks[Number(number - final.number) - 1]?.block
  return {
    tip,
    root: () => final,
    size: () => blocks.length,
    blockAt,
    hashAt: (number) => blockAt(number)?.hash,
    append: (block, logs) => {
      if (block.parentHash !== tip().hash || block.number !== tip().number + 1n)
        throw new RpcError('CHAIN_CHANGED', `block ${block.number} does not follow ${tip().number}`)
      blocks.push({ block, logs })
    },
    logsAbove: (number) =>
      blocks
        .filter(({ block }) => block.number > number)
        .toReversed()
        .flatMap(({ logs }) => logs),
    dropAbove: (number) => {
      blocks = blocks.filter(({ block }) => block.number <= number)
    },
    logsUpTo: (number) => blocks.filter(({ block }) => block.number <= number).flatMap(({ logs }) => logs),
    settle: (number) => {
      final = blockAt(number) ?? final
      blocks = blocks.filter(({ block }) => block.number > number)
    },
  }
}
