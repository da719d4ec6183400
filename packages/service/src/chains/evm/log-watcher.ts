import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { EvmChain } from './evm-chain.ts'
import { createLogIndexer } from './log-indexer.ts'
import type { LogCursor, LogProgress } from './log-progress.ts'

/** Follows the logs of some contracts on one chain. */
export type LogWatcher = {
  /** Starts following; resolves after the first attempt. */
  readonly start: () => Promise<void>
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
  /** The newest final block up to which all logs were handed over, or undefined before the first. */
  readonly finalBlock: () => { readonly number: bigint; readonly timestampSeconds: number } | undefined
  /** Whether all logs up to the chain's head were handed over a moment ago. */
  readonly isCurrent: () => boolean
}

type Deps = {
  readonly chain: EvmChain
  /** The watched contracts and first topics, in any case. */
  readonly addresses: readonly string[]
  readonly topics0: readonly string[]
  /** Where an earlier watcher stopped; undefined to start at the newest final block. */
  readonly from: LogCursor | undefined
  readonly now: () => Instant
  readonly log: Log
  /** Called sequentially; a rejected notification is repeated. */
  readonly onProgress: (progress: LogProgress) => Promise<void>
}

const IDLE_MS = 1_000
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000
/** Maximum age of the last complete read for its logs to count as current. */
const CURRENT_MS = 10_000

/** A pause that `wake` ends, also if it was called before the pause began. */
const createPause = () => {
  let end = (): void => undefined
  let isWoken = false
  const wake = (): void => {
    isWoken = true
    end()
  }
  const wait = (durationMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => end(), durationMs)
      end = () => {
        clearTimeout(timer)
        isWoken = false
        resolve()
      }
      if (isWoken) end()
    })
  return { wake, wait }
}

/**
 * Creates a watcher that reports a contract's logs: tentatively as blocks appear, and permanently once they are final.
 * Each final log is reported once, unless the chain violates its finality: then the last blocks are reported again. A
 * lagging node removes nothing.
 */
export const createLogWatcher = (deps: Deps): LogWatcher => {
  const { chain, now, log } = deps
  const reading = createLogIndexer({
    chain,
    filter: {
      addresses: deps.addresses.map((address) => address.toLowerCase()),
      topics0: deps.topics0.map((topic) => topic.toLowerCase()),
    },
    from: deps.from,
    log,
    onProgress: deps.onProgress,
  })
  const pause = createPause()
  let isRunning = false
  let failures = 0
  let completedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> = Promise.resolve()
  let unsubscribe = (): void => undefined

  const attempt = async (): Promise<void> => {
    try {
      if (await reading.advance()) completedAt = now()
      else pause.wake()
      if (failures > 0) log('info', 'reading logs recovered', { chainId: chain.chainId })
      failures = 0
    } catch (error) {
      if (failures === 0 && isRunning)
        log('warn', 'reading logs failed', { chainId: chain.chainId, reason: String(error) })
      failures += 1
    }
  }

  const run = async (): Promise<void> => {
    while (isRunning) {
      await pause.wait(failures === 0 ? IDLE_MS : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * failures))
      if (isRunning) await attempt()
    }
  }

  return {
    start: async () => {
      if (isRunning) return
      isRunning = true
      unsubscribe = chain.onHead(() => {
        if (failures === 0) pause.wake()
      })
      await attempt()
      running = run()
    },
    stop: async () => {
      isRunning = false
      unsubscribe()
      pause.wake()
      await running
    },
    finalBlock: reading.finalBlock,
    isCurrent: () => now() - completedAt <= CURRENT_MS,
  }
}
