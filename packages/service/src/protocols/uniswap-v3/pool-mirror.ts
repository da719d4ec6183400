import type { EvmChain, EvmHead } from '../../chains/evm/evm-chain.ts'
import { readPastLag } from '../../chains/rpc/node-lags.ts'
import type { Instant } from '../../core/instant.ts'
import type { Exchange } from '../../core/network.ts'
import type { Log } from '../../lib/log.ts'
import type { PoolState } from './pool.ts'
import { createPoolReader } from './pool-reader.ts'

/** All pools of an exchange that have a price, as they stand in one block. */
type MirroredPools = { readonly blockNumber: bigint; readonly pools: readonly PoolState[] }

/** Keeps a chain's pools in memory, block by block. */
export type PoolMirror = {
  /** The pools of the newest block that was read; undefined before the first and once it is stale. No network. */
  readonly pools: () => MirroredPools | undefined
  /** Follows the chain's heads; resolves after the first attempt. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}

type Deps = {
  readonly chain: EvmChain
  readonly exchange: Pick<Exchange, 'pools' | 'tickLens'>
  readonly now: () => Instant
  readonly log: Log
  /** After which a block that no other followed prices nothing. */
  readonly maxAgeMs?: number
}

/** Twice the slowest chain's pause between two blocks, and some. */
const DEFAULT_MAX_AGE_MS = 30_000

/** A mirror of an exchange's pools. It reads once per new head, one head at a time, and skips those it is too slow for. */
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
      if (failing) log('info', 'pools are read again', { chainId })
      failing = false
    } catch (error) {
      if (!failing) log('warn', 'pools cannot be read', { chainId, error })
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
    stop: () => {
      unsubscribe?.()
      unsubscribe = undefined
      waiting = undefined
    },
  }
}
