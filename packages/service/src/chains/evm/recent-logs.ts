import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { EvmChain, EvmFoundLog } from './evm-chain.ts'

type Deps = Pick<EvmChain, 'head' | 'findLogs'> & {
  readonly chainId: ChainId
  readonly now: () => Instant
}

/** Blocks that are searched. */
const SOUGHT_BLOCKS = 20_000n
/** All of them are searched again after this time: an endpoint may have left something out. */
const KEPT_MS = 600_000
const MOST_KEPT = 2_000

/** The final blocks that a search has done, and what it found in them. */
type Searched = { next: bigint; logs: readonly EvmFoundLog[] }

/**
 * Finds the matching logs of the 20,000 blocks up to the head, oldest first. Final blocks are searched once in ten minutes, so
 * that looking for a transfer again costs the blocks since alone.
 */
export const createRecentLogs = ({ chainId, head, findLogs, now }: Deps): EvmChain['recentLogs'] => {
  const kept = createTtlCache<string, Searched>({ now, maxAgeMs: KEPT_MS, limit: MOST_KEPT })
  return async ({ address, topics }) => {
    const tip = head()
    if (tip === undefined) throw new RpcError('NO_HEAD', `the head of ${chainId} is unknown`)
    const oldest = tip.number < SOUGHT_BLOCKS ? 0n : tip.number - SOUGHT_BLOCKS + 1n
    const key = `${address.toLowerCase()} ${topics.join(' ')}`
    const known = kept.get(key)
    const before = known !== undefined && known.next >= oldest ? known : { next: oldest, logs: [] }
    const { next, logs } = before
    const from = next < tip.number ? next : tip.number
    const found = await findLogs({ address, topics, fromBlock: from, toBlock: tip.number })
    const fresh = found.filter(({ blockNumber }) => blockNumber >= next)
    const all = [...logs, ...fresh].filter(({ blockNumber }) => blockNumber >= oldest)
    if (tip.finalNumber >= next) {
      const searched = {
        next: tip.finalNumber + 1n,
        logs: all.filter(({ blockNumber }) => blockNumber <= tip.finalNumber),
      }
      // The age is that of the whole search.
      if (known === undefined) kept.set(key, searched)
      else Object.assign(known, searched)
    }
    return all
  }
}
