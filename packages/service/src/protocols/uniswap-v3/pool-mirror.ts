import type { EvmChain, EvmHead } from '../../chains/evm/evm-chain.ts'
import { readPastLag } from '../../chains/rpc/read-past-lag.ts'
import type { Instant } from '../../core/instant.ts'
import type { Exchange } from '../../core/network.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import type { PoolState } from './pool.ts'
import { createPoolReader } from './pool-reader.ts'

/** All priced pools of an exchange as of one block. */
type MirroredPools = { readonly blockNumber: bigint; readonly pools: readonly PoolState[] }

/** A copy of a chain's pools in memory, updated per block. */
export type PoolMirror = Lifecycle & {
  /** The pools as of the newest block read; undefined before the first one and when stale. No network. */
  readonly pools: () => MirroredPools | undefined
}

type Deps = {
  readonly chain: EvmChain
  readonly exchange: Pick<Exchange, 'pools' | 'tickLens'>
  readonly now: () => Instant
  readonly log: Log
  /** Age in milliseconds at which the last block becomes stale. */
  readonly maxAgeMs?: number
}

/** About twice the block time of the slowest chain. */
const DEFAULT_MAX_AGE_MS = 30_000

/** Mirrors the pools of an exchange: one read per new head, one at a time, skipping heads that arrive during a read. */
export const createPoolMirror = ({
  chain,
  exchange,
  now,
  log,
  maxAgeMs = DEFAULT_MAX_AGE_MS,
}: Deps): PoolMirror => {
  const { chainId } = chain
  const read = createPoolReader(chain, exchange)
  let mirrored: (MirroredPools & { readonly seenAt: Instant }) | undefined
  let waiting: EvmHead | undefined
  let reading: Promise<void> | undefined
  let failing = false
  let unsubscribe: (() => void) | undefined

  const readHead = async (head: EvmHead): Promise<void> => {
    try {
      const pools = await readPastLag(() => read(head.hash))
      mirrored = { blockNumber: head.number, pools, seenAt: head.readAt }
      if (failing) log('info', 'pool_read_recovered', { chainId })
      failing = false
    } catch (error) {
      if (!failing) log('warn', 'pool_read_failed', { chainId, error })
      failing = true
    }
  }

  const readWaiting = async (): Promise<void> => {
    while (waiting !== undefined) {
      const head = waiting
      waiting = undefined
      await readHead(head)
    }
    reading = undefined
  }

  const follow = (head: EvmHead): Promise<void> => {
    waiting = head
    reading ??= readWaiting()
    return reading
  }

  return {
    pools: () =>
      mirrored === undefined || chain.head() === undefined || now() - mirrored.seenAt > maxAgeMs
        ? undefined
        : mirrored,
    start: async () => {
      if (unsubscribe !== undefined) return
      unsubscribe = chain.onHead((head) => void follow(head))
      const head = chain.head()
      if (head !== undefined) await follow(head)
    },
    stop: async () => {
      unsubscribe?.()
      unsubscribe = undefined
      waiting = undefined
      await reading
    },
  }
}
