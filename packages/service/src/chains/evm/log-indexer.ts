import type { Log } from '../../lib/log.ts'
import { readPastLag } from '../rpc/read-past-lag.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { type BlockBranch, createBlockBranch } from './block-branch.ts'
import type { EvmBlock, EvmBlockLog, EvmChain, EvmHead, EvmLogFilter } from './evm-chain.ts'
import type { LogCursor, LogProgress, WatchedLog } from './log-progress.ts'

type Deps = {
  readonly chain: EvmChain
  readonly filter: EvmLogFilter
  readonly from: LogCursor | undefined
  readonly log: Log
  readonly onProgress: (progress: LogProgress) => Promise<void>
}

/** Reads one chain's logs from a cursor to the head. */
export type LogIndexer = {
  /**
   * Reads towards the current head; resolves to whether it was reached. Rejects if a read fails; earlier progress is
   * kept.
   */
  readonly advance: () => Promise<boolean>
  /** The newest final block up to which all logs were handed over. */
  readonly finalBlock: () => EvmBlock | undefined
}

/** Blocks per step of single-block reads: with the head, one batch of requests. */
const STEP_BLOCKS = 49n
/** Limit of blocks waiting for finality; some chains make four a second and take a quarter of an hour. */
const MAX_BRANCH = 8_192
/** What public endpoints allow per query. */
const MAX_RANGE = 1_000n
/** Ranges read per advance; after long downtime there may be thousands. */
const MAX_RANGES = 10
/** How many blocks are re-read if the cursor is not on the chain. */
const REWIND_BLOCKS = 1_000n
/** Steps towards one head before it is given up for a newer one. */
const MAX_STEPS = 2 * (MAX_BRANCH / Number(STEP_BLOCKS))

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other)

const numbersBetween = (first: bigint, last: bigint): readonly bigint[] =>
  Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index))

const isLinked = (blocks: readonly EvmBlock[]): boolean =>
  blocks.every((block, index) => index === 0 || block.parentHash === blocks[index - 1]?.hash)

const expectBlock = (block: EvmBlock | undefined): EvmBlock => {
  if (block === undefined) throw new RpcError('MALFORMED', 'no block')
  return block
}

/** Adds block times to logs; throws if a log's block is not the chain's block at its number. */
const dated = (logs: readonly EvmBlockLog[], blocks: readonly EvmBlock[]): readonly WatchedLog[] => {
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  return logs.map((log) => {
    const block = byHash.get(log.blockHash)
    if (block?.number !== log.blockNumber)
      throw new RpcError('CHAIN_CHANGED', `block ${log.blockNumber} changed while it was read`)
    return { ...log, timestampSeconds: block.timestampSeconds }
  })
}

/** Headers from an endpoint whose chain contains the head; throws if the head has left the chain. */
const readUnder = async (
  chain: EvmChain,
  head: EvmHead,
  numbers: readonly bigint[],
): Promise<readonly EvmBlock[]> => {
  const found: EvmBlock[] = []
  for (let first = 0; first < numbers.length; first += Number(STEP_BLOCKS)) {
    const step = numbers.slice(first, first + Number(STEP_BLOCKS))
    const [newest, ...blocks] = await readPastLag(() => chain.blocks([head.number, ...step]))
    if (newest?.hash !== head.hash) throw new RpcError('CHAIN_CHANGED', `block ${head.number} left the chain`)
    found.push(...blocks)
  }
  return found
}

/** The block to start from; the last blocks are re-read if the cursor is not on the chain, or ahead of it. */
const firstRoot = async ({ chain, from, log }: Deps, head: EvmHead): Promise<EvmBlock> => {
  const wanted = from?.blockNumber ?? head.finalNumber
  const start = lower(wanted, head.finalNumber)
  const block = expectBlock((await readUnder(chain, head, [start]))[0])
  if (from === undefined || (start === wanted && block.hash === from.blockHash)) return block
  const { chainId } = chain
  log('warn', 'cursor_not_on_chain', { chainId, cursor: from.blockNumber })
  return expectBlock((await readUnder(chain, head, [higher(start - REWIND_BLOCKS, 0n)]))[0])
}

/** Hands over the logs of final blocks in ranges that shrink while an endpoint refuses them. */
const createRangeReader = ({ chain, filter, onProgress }: Deps) => {
  let range = MAX_RANGE
  const read = async (root: EvmBlock, last: bigint, head: EvmHead): Promise<EvmBlock | undefined> => {
    const wanted = { fromBlock: root.number + 1n, toBlock: last }
    const found = await readPastLag(() => chain.logsOfRange(wanted, filter))
    const numbers = new Set([root.number, ...found.map(({ blockNumber }) => blockNumber), last])
    const blocks = await readUnder(chain, head, [...numbers])
    if (blocks[0]?.hash !== root.hash) return undefined
    const block = expectBlock(blocks.at(-1))
    await onProgress({
      kind: 'final',
      cursor: { blockNumber: block.number, blockHash: block.hash },
      timestampSeconds: block.timestampSeconds,
      logs: dated(found, blocks),
    })
    return block
  }
  /** The last block of the next range, or undefined if the root is not on the chain. */
  return async (root: EvmBlock, head: EvmHead): Promise<EvmBlock | undefined> => {
    const last = lower(root.number + range, head.finalNumber)
    try {
      const block = await read(root, last, head)
      range = lower(range + range / 8n + 1n, MAX_RANGE)
      return block
    } catch (error) {
      range = higher(range / 2n, 1n)
      throw error
    }
  }
}

/** Keeps a branch on the head's chain: extends it, removes blocks that left the chain, hands over final ones. */
const createBranchKeeper = ({ chain, filter, log, onProgress }: Deps) => {
  const { chainId } = chain

  const dropAbove = async (branch: BlockBranch, number: bigint): Promise<void> => {
    const depth = Number(branch.tip().number - number)
    if (depth === 0) return
    log('info', 'blocks_reorganized', { chainId, depth, above: number })
    const logs = branch.logsAbove(number)
    if (logs.length > 0) await onProgress({ kind: 'removed', logs })
    branch.dropAbove(number)
  }

  /** Drops blocks that are not on the head's chain; returns whether the root is. */
  const agree = async (branch: BlockBranch, head: EvmHead): Promise<boolean> => {
    const root = branch.root().number
    let last = lower(branch.tip().number, head.number)
    while (last >= root) {
      const first = higher(root, last - STEP_BLOCKS + 1n)
      const blocks = await readUnder(chain, head, numbersBetween(first, last))
      const common = blocks.findLast(({ number, hash }) => branch.hashAt(number) === hash)
      if (common !== undefined) {
        await dropAbove(branch, common.number)
        return true
      }
      last = first - 1n
    }
    await dropAbove(branch, root)
    return false
  }

  /** Reads the next blocks; returns false if they do not follow the tip. */
  const extend = async (branch: BlockBranch, head: EvmHead): Promise<boolean> => {
    if (branch.size() >= MAX_BRANCH)
      throw new RpcError('TOO_MUCH', `more than ${MAX_BRANCH} blocks wait for finality`)
    const tip = branch.tip()
    const last = lower(head.number, tip.number + STEP_BLOCKS)
    const blocks = await readUnder(chain, head, numbersBetween(tip.number + 1n, last))
    if (!isLinked(blocks))
      throw new RpcError('CHAIN_CHANGED', `blocks up to ${last} do not follow each other`)
    if (blocks[0]?.parentHash !== tip.hash) return false
    const hashes = blocks.map(({ hash }) => hash)
    const logs = dated(await readPastLag(() => chain.logsOfBlocks(hashes, filter)), blocks)
    if (logs.length > 0) await onProgress({ kind: 'seen', logs })
    for (const block of blocks)
      branch.append(
        block,
        logs.filter(({ blockHash }) => blockHash === block.hash),
      )
    return true
  }

  const settle = async (branch: BlockBranch, number: bigint): Promise<void> => {
    const block = branch.blockAt(lower(number, branch.tip().number))
    if (block === undefined || block.number <= branch.root().number) return
    await onProgress({
      kind: 'final',
      cursor: { blockNumber: block.number, blockHash: block.hash },
      timestampSeconds: block.timestampSeconds,
      logs: branch.logsUpTo(block.number),
    })
    branch.settle(block.number)
  }

  return { agree, extend, settle }
}

/** Creates a reader of a chain's logs: final blocks in ranges when far behind, otherwise single blocks by hash. */
export const createLogIndexer = (deps: Deps): LogIndexer => {
  const { chain, log } = deps
  const { chainId } = chain
  const readRange = createRangeReader(deps)
  const { agree, extend, settle } = createBranchKeeper(deps)
  let branch: BlockBranch | undefined

  const start = async (head: EvmHead): Promise<BlockBranch> => {
    const root = await firstRoot(deps, head)
    const { number: blockNumber, hash: blockHash, timestampSeconds } = root
    await deps.onProgress({ kind: 'final', cursor: { blockNumber, blockHash }, timestampSeconds, logs: [] })
    return createBlockBranch(root)
  }

  /** Finality was violated: re-emits the last 1,000 blocks. */
  const rewind = async (from: EvmBlock, head: EvmHead): Promise<BlockBranch> => {
    log('error', 'finality_violated', { chainId, block: from.number })
    const start = higher(lower(from.number, head.finalNumber) - REWIND_BLOCKS, 0n)
    return createBlockBranch(expectBlock((await readUnder(chain, head, [start]))[0]))
  }

  /** Whether so many blocks are missing that final ones are handed over before the head is reached. */
  const isFarBehind = (current: BlockBranch, head: EvmHead): boolean =>
    head.finalNumber > current.tip().number + STEP_BLOCKS ||
    (current.size() >= MAX_BRANCH && head.finalNumber > current.root().number)

  /** Advances to the newest final block in ranges. */
  const catchUp = async (known: BlockBranch, head: EvmHead): Promise<BlockBranch> => {
    let current = known
    for (let ranges = 0; ranges < MAX_RANGES && isFarBehind(current, head); ranges += 1) {
      const root = current.root()
      if (current.size() > 0 && (await agree(current, head))) {
        await settle(current, head.finalNumber)
        continue
      }
      const reached = await readRange(root, head)
      current = reached === undefined ? await rewind(root, head) : createBlockBranch(reached)
      branch = current
    }
    return current
  }

  const follow = async (known: BlockBranch, head: EvmHead): Promise<void> => {
    for (let steps = 0; known.hashAt(head.number) !== head.hash; steps += 1) {
      if (steps >= MAX_STEPS) throw new RpcError('TOO_MUCH', `block ${head.number} was not reached`)
      if (head.number <= known.root().number)
        throw new RpcError('CHAIN_CHANGED', `head ${head.number} is below a final block`)
      if (head.number > known.tip().number && (await extend(known, head))) continue
      if (await agree(known, head)) continue
      branch = await rewind(known.root(), head)
      throw new RpcError('CHAIN_CHANGED', 'the chain broke its finality')
    }
    await settle(known, head.finalNumber)
  }

  return {
    advance: async () => {
      const head = chain.head()
      if (head === undefined) throw new RpcError('NO_HEAD', 'no head')
      branch ??= await start(head)
      branch = await catchUp(branch, head)
      if (isFarBehind(branch, head)) return false
      await follow(branch, head)
      return true
    },
    finalBlock: () => branch?.root(),
  }
}
