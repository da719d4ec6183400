import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import type { EvmBlock, EvmBlockLog, EvmChain, EvmLogFilter, WatchedLog } from './evm-chain.ts'
import { higher, lower, textOf } from './final-steps.ts'
import type { LogCursor } from './log-progress.ts'

/** Looks again at final blocks for logs that a quorum of endpoints hid when the blocks became final. */
export type SecondLook = {
  /** Notes the logs that were handed over with the blocks up to a cursor. */
  readonly handedOver: (cursor: Pick<LogCursor, 'blockNumber'>, logs: readonly WatchedLog[]) => void
  /** The logs found since that a quorum tells now, oldest first; starts the next look, for which nobody waits. */
  readonly found: (root: Pick<EvmBlock, 'number'>) => readonly WatchedLog[]
  /** Forgets logs that were found and handed over. */
  readonly accepted: (logs: readonly WatchedLog[]) => void
}

type Deps = {
  readonly chain: Pick<EvmChain, 'chainId' | 'finalBlock' | 'finalLogs' | 'finalLogsOfEach'>
  readonly filter: EvmLogFilter
  readonly now: () => Instant
  readonly log: Log
}

/** A log that an endpoint tells and that was not handed over. */
type Doubted = { readonly log: EvmBlockLog; readonly since: Instant }

const LOOK_MS = 60_000
const FORGET_MS = 24 * 3_600_000
const MOST_DOUBTED = 100
const AT_ONCE = 8
/** What public endpoints allow per query. */
const MAX_RANGE = 1_000n

/**
 * Asks each endpoint once a minute for the logs of the blocks that were final a minute ago. A log that was not handed over
 * is asked for again each minute, for a day, until a quorum tells it. Blocks from before the start are not looked at.
 */
export const createSecondLook = ({ chain, filter, now, log }: Deps): SecondLook => {
  const { chainId } = chain
  const known = new Map<string, bigint>()
  const doubted = new Map<string, Doubted>()
  let agreed: readonly WatchedLog[] = []
  let after: bigint | undefined
  let target: bigint | undefined
  let lookedAt = now()
  let isLooking = false

  const doubt = (told: EvmBlockLog): void => {
    const key = textOf(told)
    if (known.has(key) || doubted.has(key) || doubted.size >= MOST_DOUBTED) return
    doubted.set(key, { log: told, since: now() })
    log('warn', 'log_not_handed_over', { chainId, block: told.blockNumber, txHash: told.txHash })
  }

  const compare = async (from: bigint, upTo: bigint): Promise<void> => {
    const first = higher(from, upTo - MAX_RANGE) + 1n
    const told = await chain.finalLogsOfEach({ first, last: upTo }, filter)
    for (const one of told.flat()) doubt(one)
    if (told.length > 0) after = upTo
    for (const [key, number] of known) if (number <= upTo) known.delete(key)
  }

  const askAgain = async ([key, { log: told, since }]: readonly [string, Doubted]): Promise<void> => {
    if (known.has(key)) {
      doubted.delete(key)
      return
    }
    const before = await chain.finalBlock(told.blockNumber - 1n)
    const read = await chain.finalLogs(before, told.blockNumber, filter)
    const same = read?.logs.find((one) => textOf(one) === key)
    if (same !== undefined && !agreed.some((one) => textOf(one) === key)) agreed = [...agreed, same]
    if (same === undefined && now() - since >= FORGET_MS) doubted.delete(key)
  }

  const look = async (upTo: bigint): Promise<void> => {
    if (after !== undefined && after < upTo) await compare(after, upTo)
    // An endpoint that cannot be read now is asked again by the next look.
    await mapAtMost(AT_ONCE, [...doubted], (one) => askAgain(one).catch(() => undefined))
  }

  return {
    handedOver: ({ blockNumber }, logs) => {
      if (after === undefined || after > blockNumber) after = blockNumber
      for (const one of logs) known.set(textOf(one), one.blockNumber)
    },
    found: (root) => {
      if (!isLooking && now() - lookedAt >= LOOK_MS) {
        isLooking = true
        lookedAt = now()
        // Sound endpoints have all called a block final that was final a minute ago.
        const upTo = lower(target ?? 0n, root.number)
        target = root.number
        // The pool logs why endpoints cannot be read; the next look reads the same blocks.
        void look(upTo)
          .catch(() => undefined)
          .finally(() => {
            isLooking = false
          })
      }
      return agreed
    },
    accepted: (logs) => {
      for (const one of logs) {
        log('info', 'log_handed_over_late', { chainId, block: one.blockNumber, txHash: one.txHash })
        doubted.delete(textOf(one))
      }
      agreed = agreed.filter((one) => !logs.includes(one))
    },
  }
}
