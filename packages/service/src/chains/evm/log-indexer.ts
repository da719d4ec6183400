import { readPastLag } from '../rpc/read-past-lag.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { type BlockBranch, createBlockBranch } from './block-branch.ts'
import type { EvmBlock, EvmChain, EvmHead } from './evm-chain.ts'
import { datedLogs } from './final-reader.ts'
import {
  createDropper,
  createFinalStepper,
  createSettler,
  type DropAbove,
  higher,
  type LogReading,
  lower,
} from './final-steps.ts'
import { createRootFinder, type RootFinder } from './root-finder.ts'
import type { SecondLook } from './second-look.ts'

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
/** Limit of blocks waiting for finality: more than the network file allows (`MOST_CONFIRMATIONS`), as a read may end behind a head. */
const MAX_BRANCH = 32_768
/** Ranges read per advance; after long downtime there may be thousands. */
const MAX_RANGES = 10
/** Steps towards one head before it is given up for a newer one. */
const MAX_STEPS = 2 * (MAX_BRANCH / Number(STEP_BLOCKS))

const numbersBetween = (first: bigint, last: bigint): readonly bigint[] =>
  Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index))

const isLinked = (blocks: readonly EvmBlock[]): boolean =>
  blocks.every((block, index) => index === 0 || block.parentHash === blocks[index - 1]?.hash)

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

/** Keeps a branch on the head's chain: extends it and removes blocks that left the chain. */
const createBranchKeeper = ({ chain, filter, onProgress }: LogReading, dropAbove: DropAbove) => {
  /** Drops blocks that are not on the head's chain; returns whether the root is. */
  const retreat = async (branch: BlockBranch, head: EvmHead): Promise<boolean> => {
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
    const logs = datedLogs(await readPastLag(() => chain.logsOfBlocks(hashes, filter)), blocks)
    if (logs.length > 0) await onProgress({ kind: 'seen', logs })
    for (const block of blocks)
      branch.append(
        block,
        logs.filter(({ blockHash }) => blockHash === block.hash),
      )
    return true
  }

  return { retreat, extend }
}

/** Whether so many blocks are missing that final ones are handed over before the head is reached. */
const isFarBehind = (current: BlockBranch, head: EvmHead): boolean =>
  head.finalNumber > current.tip().number + STEP_BLOCKS ||
  (current.size() >= MAX_BRANCH && head.finalNumber > current.root().number)

type LookingTwice = LogReading & { readonly secondLook: SecondLook }

/** Lets the second look know what was handed over. */
const noting = ({ secondLook, ...reading }: LookingTwice): LogReading => ({
  ...reading,
  onProgress: async (progress) => {
    await reading.onProgress(progress)
    if (progress.kind === 'final') secondLook.handedOver(progress.cursor, progress.logs)
  },
})

/** Hands over what the second look has found. */
const handOverLate = async (
  { secondLook, onProgress }: LookingTwice,
  root: EvmBlock,
  progressTo: RootFinder['progressTo'],
): Promise<void> => {
  const logs = secondLook.found(root)
  if (logs.length === 0) return
  await onProgress(progressTo(root, logs))
  secondLook.accepted(logs)
}

/** Creates a reader of a chain's logs: final blocks in ranges when far behind, otherwise single blocks by hash. */
export const createLogIndexer = (given: LookingTwice): LogIndexer => {
  const { chain } = given
  const deps = noting(given)
  const readFinal = createFinalStepper(deps)
  const dropAbove = createDropper(deps)
  const { retreat, extend } = createBranchKeeper(deps, dropAbove)
  const roots = createRootFinder(deps)
  const settle = createSettler(deps, readFinal, dropAbove, roots.progressTo)
  let branch: BlockBranch | undefined

  const start = async (head: EvmHead): Promise<BlockBranch> => {
    const root = await roots.first(head)
    await deps.onProgress(roots.progressTo(root, []))
    return createBlockBranch(root)
  }

  /** Advances to the newest final block in ranges. */
  const catchUp = async (known: BlockBranch, head: EvmHead): Promise<BlockBranch> => {
    let current = known
    for (let ranges = 0; ranges < MAX_RANGES && isFarBehind(current, head); ranges += 1) {
      if (current.size() > 0 && (await retreat(current, head)) && (await settle(current, head.finalNumber)))
        continue
      const root = current.root()
      const step = await readFinal(root, head.finalNumber)
      if (step.kind === 'not_agreed')
        throw new RpcError('NODE_BEHIND', `too few endpoints are past block ${root.number}`)
      if (step.kind === 'read') await deps.onProgress(roots.progressTo(step.last, step.logs))
      current = createBlockBranch(step.kind === 'read' ? step.last : await roots.below(root, head))
      branch = current
    }
    return current
  }

  /** Starts again below a root that left the chain, if a quorum says so too. */
  const refuse = async (known: BlockBranch, head: EvmHead): Promise<never> => {
    const { number, hash } = known.root()
    const agreed = await chain.finalBlock(number)
    if (agreed.hash === hash)
      throw new RpcError('CHAIN_CHANGED', `head ${head.number} is on a chain that most endpoints do not know`)
    branch = createBlockBranch(await roots.below(known.root(), head))
    throw new RpcError('CHAIN_CHANGED', 'the chain broke its finality')
  }

  const follow = async (known: BlockBranch, head: EvmHead): Promise<void> => {
    for (let steps = 0; known.hashAt(head.number) !== head.hash; steps += 1) {
      if (steps >= MAX_STEPS) throw new RpcError('TOO_MUCH', `block ${head.number} was not reached`)
      if (head.number <= known.root().number) {
        await roots.expectSameChain()
        throw new RpcError('CHAIN_CHANGED', `head ${head.number} is below a final block`)
      }
      if (head.number > known.tip().number && (await extend(known, head))) continue
      if (await retreat(known, head)) continue
      return refuse(known, head)
    }
    if (!(await settle(known, head.finalNumber))) await refuse(known, head)
  }

  return {
    advance: async () => {
      const head = chain.head()
      if (head === undefined) throw new RpcError('NO_HEAD', 'no head')
      branch ??= await start(head)
      branch = await catchUp(branch, head)
      if (isFarBehind(branch, head)) return false
      await follow(branch, head)
      await handOverLate(given, branch.root(), roots.progressTo)
      return true
    },
    finalBlock: () => branch?.root(),
  }
}
