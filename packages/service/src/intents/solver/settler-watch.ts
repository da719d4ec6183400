import type { ChainId } from '@openrfq/sdk'
import type { WatchedLog } from '../../chains/evm/evm-chain.ts'
import type { LogCursor, LogProgress } from '../../chains/evm/log-progress.ts'
import { createLogWatcher, type LogWatcher } from '../../chains/evm/log-watcher.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { readSettlerEvent, SETTLER_TOPICS } from '../settlers/settler-events.ts'
import type { SolverChain } from './assets.ts'
import type { OrderEvent } from './order-tracker.ts'

/** Follows the settlers of all chains. */
export type SettlerWatch = {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Whether the chain has been read up to its head a moment ago. */
  readonly isCurrent: (chainId: ChainId) => boolean
  /** The newest final block whose events were handed over; 0 before the first. */
  readonly readUpTo: (chainId: ChainId) => bigint
}

type Deps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly store: Pick<Store, 'findCursor' | 'saveChainEvents'>
  readonly onEvent: (seen: OrderEvent) => void
  readonly onRemoved: (seen: OrderEvent) => void
  /** The last block of a chain that no open order needs; undefined if no order is open. */
  readonly lowWater: (chainId: ChainId) => bigint | undefined
  readonly now: () => Instant
  readonly log: Log
}

const MAX_CHECKPOINTS = 4_096
const SAVE_EVERY_MS = 1_000

/** Stores no events, only a block before all open orders, from which a restart reads the chain again. */
const createCheckpoints = (deps: Deps, chainId: ChainId, from: LogCursor | undefined) => {
  let checkpoints: readonly LogCursor[] = from === undefined ? [] : [from]
  let saved = from
  let savedAt = Number.NEGATIVE_INFINITY
  return async (cursor: LogCursor): Promise<void> => {
    checkpoints = [...checkpoints, cursor]
    if (deps.now() - savedAt < SAVE_EVERY_MS && checkpoints.length < MAX_CHECKPOINTS) return
    const lowWater = deps.lowWater(chainId)
    const safe = checkpoints.findLast(({ blockNumber }) => lowWater === undefined || blockNumber <= lowWater)
    if (safe !== undefined) {
      checkpoints = checkpoints.filter(({ blockNumber }) => blockNumber >= safe.blockNumber)
      if (safe !== saved) await deps.store.saveChainEvents(chainId, safe, [])
      saved = safe
    }
    // Keeps the first and the last, and every other one in between.
    if (checkpoints.length >= MAX_CHECKPOINTS)
      checkpoints = checkpoints.filter(
        (_, position) => position % 2 === 0 || position === checkpoints.length - 1,
      )
    savedAt = deps.now()
  }
}

const eventOf = (chain: SolverChain, found: WatchedLog, isFinal: boolean): readonly OrderEvent[] => {
  const event = readSettlerEvent(found)
  if (event === undefined) return []
  const { blockNumber, timestampSeconds } = found
  return [{ chainId: chain.chainId, event, blockNumber, timestampSeconds, isFinal }]
}

const watchChain = async (deps: Deps, chain: SolverChain): Promise<LogWatcher> => {
  const from = await deps.store.findCursor(chain.chainId)
  const pass = createCheckpoints(deps, chain.chainId, from)
  const onProgress = async (progress: LogProgress): Promise<void> => {
    const isFinal = progress.kind === 'final'
    const handle = progress.kind === 'removed' ? deps.onRemoved : deps.onEvent
    for (const found of progress.logs) for (const seen of eventOf(chain, found, isFinal)) handle(seen)
    if (isFinal) await pass(progress.cursor)
  }
  return createLogWatcher({
    chain: chain.evm,
    addresses: [chain.settler],
    topics0: Object.values(SETTLER_TOPICS),
    from,
    now: deps.now,
    log: deps.log,
    onProgress,
  })
}

/** Creates one watcher per chain, each starting where its open orders begin. */
export const createSettlerWatch = (deps: Deps): SettlerWatch => {
  const watchers = new Map<ChainId, LogWatcher>()
  return {
    start: async () => {
      for (const chain of deps.chains.values()) watchers.set(chain.chainId, await watchChain(deps, chain))
      await Promise.all([...watchers.values()].map((watcher) => watcher.start()))
    },
    stop: async () => {
      await Promise.all([...watchers.values()].map((watcher) => watcher.stop()))
    },
    isCurrent: (chainId) => watchers.get(chainId)?.isCurrent() === true,
    readUpTo: (chainId) => watchers.get(chainId)?.finalBlock()?.number ?? 0n,
  }
}
