import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createHistoryFaults, type HistoryFault } from '../rpc/history-fault.ts'
import type { EvmBlock, EvmChain } from './evm-chain.ts'
import { createLogIndexer } from './log-indexer.ts'
import type { LogCursor, LogProgress } from './log-progress.ts'
import { createSecondLook } from './second-look.ts'

/** Follows the logs of some contracts on one chain. */
export type LogWatcher = {
  /** Starts following; resolves after the first attempt. */
  readonly start: () => Promise<void>
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
  /** The newest final block up to which all logs were handed over, or undefined before the first. */
  readonly finalBlock: () => EvmBlock | undefined
  /** Whether all logs up to the chain's head were handed over a moment ago. */
  readonly isCurrent: () => boolean
  /** Why the chain cannot be read on from the cursor until the operator acts; undefined while it can. */
  readonly historyFault: () => HistoryFault | undefined
}

type Deps = {
  readonly chain: EvmChain
  /** Contracts and first topics to watch, in any case. */
  readonly addresses: readonly string[]
  readonly topics0: readonly string[]
  /** The cursor of an earlier watcher; undefined to start at the newest final block. */
  readonly from: LogCursor | undefined
  readonly now: () => Instant
  readonly log: Log
  /** Called sequentially; a rejected notification is repeated. */
  readonly onProgress: (progress: LogProgress) => Promise<void>
}

const IDLE_MS = 1_000
/** A smaller read follows a failed one soon. */
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000
/** Maximum age of the last complete read for its logs to count as current. */
const CURRENT_MS = 10_000

/**
 * Creates a watcher that reports a contract's logs: tentatively as blocks appear, and permanently once they are final.
 * Each final log is reported once, unless the chain violates its finality: then the last blocks are reported again. A
 * lagging node removes nothing. A log that a quorum hid when its block became final is reported once a quorum tells it.
 */
export const createLogWatcher = (deps: Deps): LogWatcher => {
  const { chain, now, log } = deps
  const filter = {
    addresses: deps.addresses.map((address) => address.toLowerCase()),
    topics0: deps.topics0.map((topic) => topic.toLowerCase()),
  }
  const reading = createLogIndexer({
    chain,
    filter,
    secondLook: createSecondLook({ chain, filter, now, log }),
    from: deps.from,
    log,
    onProgress: deps.onProgress,
  })
  let completedAt = Number.NEGATIVE_INFINITY
  const faults = createHistoryFaults(now)
  let unsubscribe = (): void => undefined
  const poller = createPoller({
    name: 'log_read',
    periodMs: IDLE_MS,
    retryMs: (failures) => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * failures),
    run: async () => {
      try {
        if (await reading.advance()) completedAt = now()
        else poller.wake()
        faults.note()
      } catch (error) {
        const fault = faults.note(error)
        if (fault !== undefined) log('error', 'event_history_lost', { chainId: chain.chainId, fault, error })
        throw error
      }
    },
    log,
    failureLevel: 'warn',
    fields: { chainId: chain.chainId },
  })

  return {
    start: async () => {
      unsubscribe()
      unsubscribe = chain.onHead(() => {
        if (!poller.isFailing()) poller.wake()
      })
      await poller.start()
    },
    stop: async () => {
      unsubscribe()
      await poller.stop()
    },
    finalBlock: reading.finalBlock,
    isCurrent: () => now() - completedAt <= CURRENT_MS,
    historyFault: faults.known,
  }
}
