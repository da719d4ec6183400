import type { Log } from '../../lib/log.ts'
import { RpcError, rpcErrorCode } from '../rpc/rpc-error.ts'
import type { BlockBranch } from './block-branch.ts'
import type { EvmBlock, EvmBlockLog, EvmChain, EvmLogFilter, WatchedLog } from './evm-chain.ts'
import type { LogCursor, LogProgress } from './log-progress.ts'

/** Dependencies of reading a chain's logs. */
export type LogReading = {
  readonly chain: EvmChain
  readonly filter: EvmLogFilter
  readonly from: LogCursor | undefined
  readonly log: Log
  readonly onProgress: (progress: LogProgress) => Promise<void>
}

/** What public endpoints allow per query. */
const MAX_RANGE = 1_000n

/** The smaller of two numbers. */
export const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)
/** The larger of two numbers. */
export const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Final blocks above a root: handed over up to `last`, not final to a quorum yet, or above a root that left the chain. */
type FinalStep =
  | { readonly kind: 'read'; readonly last: EvmBlock; readonly logs: readonly WatchedLog[] }
  | { readonly kind: 'not_agreed' | 'root_left' }

/**
 * Reads agreed logs of final blocks in ranges that shrink while endpoints refuse them. Endpoints reach a final block at
 * different times: one that too few have reached is asked for again, and then less and less.
 */
export const createFinalStepper = ({ chain, filter }: LogReading) => {
  let range = MAX_RANGE
  let reach: bigint | undefined
  return async (root: EvmBlock, finalNumber: bigint): Promise<FinalStep> => {
    const last = lower(root.number + range, lower(finalNumber, reach ?? finalNumber))
    try {
      const found = await chain.finalLogs(root, last, filter)
      reach = undefined
      range = lower(range + range / 8n + 1n, MAX_RANGE)
      return found === undefined ? { kind: 'root_left' } : { kind: 'read', ...found }
    } catch (error) {
      if (rpcErrorCode(error) === 'NODE_BEHIND') {
        reach = root.number + higher((last - root.number) / 2n, 1n)
        return { kind: 'not_agreed' }
      }
      range = higher(range / 2n, 1n)
      throw error
    }
  }
}

/** The text of a log as one endpoint returned it, for comparison. */
export const textOf = ({ blockHash, position, txHash, address, topics, data }: EvmBlockLog): string =>
  [blockHash, position, txHash, address, topics.join(), data].join(' ')

type ReadFinal = ReturnType<typeof createFinalStepper>

/** Drops the blocks of a branch above a number, and reports their logs as removed. */
export const createDropper =
  ({ chain: { chainId }, log, onProgress }: LogReading) =>
  async (branch: BlockBranch, number: bigint): Promise<void> => {
    const depth = Number(branch.tip().number - number)
    if (depth === 0) return
    log('info', 'blocks_reorganized', { chainId, depth, above: number })
    const logs = branch.logsAbove(number)
    if (logs.length > 0) await onProgress({ kind: 'removed', logs })
    branch.dropAbove(number)
  }

export type DropAbove = ReturnType<typeof createDropper>

/** Hands over final blocks of a branch as a quorum knows them. */
export const createSettler = (
  { chain: { chainId }, log, onProgress }: LogReading,
  readFinal: ReadFinal,
  dropAbove: DropAbove,
  progressTo: (last: EvmBlock, logs: readonly WatchedLog[]) => LogProgress,
) => {
  /** Reports logs of one endpoint as removed that a quorum does not know. */
  const removeForged = async (branch: BlockBranch, number: bigint, agreed: readonly WatchedLog[]) => {
    const known = new Set(agreed.map(textOf))
    const logs = branch.logsUpTo(number).filter((log) => !known.has(textOf(log)))
    if (logs.length === 0) return
    log('error', 'logs_not_agreed', { chainId, logs: logs.length, block: number })
    await onProgress({ kind: 'removed', logs })
  }

  /** Returns whether the root is on the chain. */
  return async (branch: BlockBranch, finalNumber: bigint): Promise<boolean> => {
    const target = lower(finalNumber, branch.tip().number)
    while (branch.root().number < target) {
      const step = await readFinal(branch.root(), target)
      if (step.kind !== 'read') return step.kind === 'not_agreed'
      const { last, logs } = step
      if (branch.hashAt(last.number) !== last.hash) {
        await dropAbove(branch, branch.root().number)
        throw new RpcError('CHAIN_CHANGED', `block ${last.number} is another one to most endpoints`)
      }
      await removeForged(branch, last.number, logs)
      await onProgress(progressTo(last, logs))
      branch.settle(last.number)
    }
    return true
  }
}
