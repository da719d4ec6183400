import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { rpcErrorCode } from '../rpc/rpc-error.ts'
import type { EvmBlock, EvmBlockLog, EvmChain, EvmLogFilter, WatchedLog } from './evm-chain.ts'
import { higher, lower, textOf } from './final-steps.ts'
import type { LogCursor } from './log-progress.ts'

/** Looks again at final blocks for logs that a quorum of endpoints hid when the blocks became final. */
export type SecondLook = {
  /** Notes the logs that were handed over with the blocks up to a cursor. */
  readonly handedOver: (cursor: Pick<LogCursor, 'blockNumber'>, logs: readonly WatchedLog[]) => void
  /** The logs found since that a quorum reports now, oldest first; starts the next look in the background. */
  readonly found: (root: Pick<EvmBlock, 'number'>) => readonly WatchedLog[]
  /** Notes that logs that were found are handed over. */
  readonly accepted: (logs: readonly WatchedLog[]) => void
}

type Deps = {
  readonly chain: Pick<EvmChain, 'chainId' | 'finalBlock' | 'finalLogs' | 'finalLogsOfEach'>
  readonly filter: EvmLogFilter
  readonly now: () => Instant
  readonly log: Log
}

/** One endpoint, and the block up to which it has told its logs. */
type Reader = {
  readonly read: EvmChain['finalLogsOfEach'][number]
  after: bigint
  /** Blocks per query; fewer after a refusal. */
  range: bigint
}

/** A log that an endpoint tells and that was not handed over; `agreed` once a quorum tells it. */
type Doubted = {
  readonly log: EvmBlockLog
  readonly toldBy: Reader
  readonly since: Instant
  readonly agreed?: WatchedLog
}

const LOOK_MS = 60_000
const FORGET_MS = 24 * 3_600_000
/** Doubted logs of one endpoint; it is read on when a quorum tells them or they are forgotten. */
const MOST_DOUBTED = 30
/** The most logs that are remembered as known. Blocks before the oldest of them get no second look. */
const MOST_KNOWN = 5_000
const AT_ONCE = 8
/** What public endpoints allow per query. */
const MAX_RANGE = 1_000n
/** Queries to one endpoint per look. */
const MAX_PAGES = 10

const inOrder = (one: WatchedLog, other: WatchedLog): number =>
  Number(one.blockNumber - other.blockNumber) || one.position - other.position

/** The logs that were handed over from blocks above `floor()`; when there are too many, the floor rises. */
const createKnown = () => {
  const known = new Map<string, bigint>()
  let floor = -1n
  const forgetUpTo = (number: bigint): void => {
    floor = higher(floor, number)
    for (const [key, block] of known) if (block <= floor) known.delete(key)
  }
  return {
    floor: () => floor,
    has: (one: EvmBlockLog) => one.blockNumber <= floor || known.has(textOf(one)),
    add: (logs: readonly WatchedLog[]): void => {
      for (const one of logs) if (one.blockNumber > floor) known.set(textOf(one), one.blockNumber)
      while (known.size > MOST_KNOWN) forgetUpTo([...known.values()].reduce(lower))
    },
    forgetUpTo,
    /** Lets blocks above a number count again, which are handed over again. */
    reopen: (number: bigint): void => {
      floor = lower(floor, number)
    },
  }
}

/** The logs that endpoints tell and that were not handed over, at most `MOST_DOUBTED` of each endpoint. */
const createDoubts = ({ chain: { chainId }, now, log }: Deps, isKnown: (one: EvmBlockLog) => boolean) => {
  const doubted = new Map<string, Doubted>()
  return {
    /** Returns false if the endpoint tells too many. */
    add: (told: EvmBlockLog, toldBy: Reader): boolean => {
      const key = textOf(told)
      if (isKnown(told) || doubted.has(key)) return true
      const waiting = [...doubted.values()].filter((one) => one.toldBy === toldBy)
      if (waiting.length >= MOST_DOUBTED) return false
      doubted.set(key, { log: told, toldBy, since: now() })
      log('warn', 'log_not_handed_over', { chainId, block: told.blockNumber, txHash: told.txHash })
      return true
    },
    /** Notes logs that a quorum tells. */
    agree: (logs: readonly WatchedLog[]): void => {
      for (const agreed of logs) {
        const known = doubted.get(textOf(agreed))
        if (known !== undefined) doubted.set(textOf(agreed), { ...known, agreed })
      }
    },
    agreed: () => [...doubted.values()].flatMap(({ agreed }) => agreed ?? []).toSorted(inOrder),
    /** The blocks to ask a quorum about. */
    blocks: () =>
      new Set(
        [...doubted.values()].flatMap((one) => (one.agreed === undefined ? [one.log.blockNumber] : [])),
      ),
    drop: (logs: readonly WatchedLog[]): void => {
      for (const one of logs) doubted.delete(textOf(one))
    },
    dropOld: (): void => {
      for (const [key, { since, agreed }] of doubted)
        if (agreed === undefined && now() - since >= FORGET_MS) doubted.delete(key)
    },
  }
}

/** Reads what one endpoint tells from where it ended before, ten pages at most. */
const createReadOn = ({ filter }: Deps, doubts: Pick<ReturnType<typeof createDoubts>, 'add'>) => {
  /** Returns whether the next page can be read. */
  const readPage = async (reader: Reader, upTo: bigint): Promise<boolean> => {
    const last = lower(reader.after + reader.range, upTo)
    try {
      const logs = await reader.read({ first: reader.after + 1n, last }, filter)
      const unheard = logs.find((one) => !doubts.add(one, reader))
      reader.after = unheard === undefined ? last : unheard.blockNumber - 1n
      reader.range = lower(reader.range + reader.range / 8n + 1n, MAX_RANGE)
      return unheard === undefined
    } catch (error) {
      // What a node no longer has it will never tell.
      if (rpcErrorCode(error) === 'NODE_PRUNED') reader.after = last
      else reader.range = higher(reader.range / 2n, 1n)
      return false
    }
  }
  return async (reader: Reader, upTo: bigint): Promise<void> => {
    for (let pages = 0; pages < MAX_PAGES && reader.after < upTo; pages += 1)
      if (!(await readPage(reader, upTo))) return
  }
}

/**
 * Asks each endpoint once a minute for the logs of the blocks that were final a minute ago; one that does not answer is
 * asked for the same blocks by the next look. A log that was not handed over is asked for again each minute, for a day,
 * until a quorum tells it. Blocks from before the start are not looked at.
 */
export const createSecondLook = (deps: Deps): SecondLook => {
  const { chain, filter, now, log } = deps
  const { chainId } = chain
  const known = createKnown()
  const doubts = createDoubts(deps, known.has)
  const readOn = createReadOn(deps, doubts)
  let readers: readonly Reader[] = []
  let target: bigint | undefined
  let lookedAt = now()
  let isLooking = false

  const askAgain = async (number: bigint): Promise<void> => {
    const before = await chain.finalBlock(number - 1n)
    const read = await chain.finalLogs(before, number, filter)
    doubts.agree(read?.logs ?? [])
  }

  const look = async (upTo: bigint): Promise<void> => {
    doubts.dropOld()
    for (const reader of readers) reader.after = higher(reader.after, known.floor())
    await Promise.all(readers.map((reader) => readOn(reader, upTo)))
    if (readers.length > 0) known.forgetUpTo(readers.map(({ after }) => after).reduce(lower))
    // Endpoints that cannot be read now are asked again by the next look.
    await mapAtMost(AT_ONCE, [...doubts.blocks()], (number) => askAgain(number).catch(() => undefined))
  }

  return {
    handedOver: ({ blockNumber }, logs) => {
      if (readers.length === 0)
        readers = chain.finalLogsOfEach.map((read) => ({ read, after: blockNumber, range: MAX_RANGE }))
      for (const reader of readers) reader.after = lower(reader.after, blockNumber)
      known.reopen(blockNumber)
      known.add(logs)
      doubts.drop(logs)
    },
    found: (root) => {
      if (!isLooking && now() - lookedAt >= LOOK_MS) {
        isLooking = true
        lookedAt = now()
        // Sound endpoints have all called a block final that was final a minute ago.
        const upTo = lower(target ?? 0n, root.number)
        target = root.number
        // The pool logs why endpoints cannot be read.
        void look(upTo).finally(() => {
          isLooking = false
        })
      }
      return doubts.agreed().filter(({ blockNumber }) => blockNumber <= root.number)
    },
    accepted: (logs) => {
      for (const one of logs)
        log('info', 'log_handed_over_late', { chainId, block: one.blockNumber, txHash: one.txHash })
      known.add(logs)
      doubts.drop(logs)
    },
  }
}
