import type { Instant } from '../../core/instant.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import { createTokenBucket } from '../../lib/token-bucket.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { EvmChain, EvmFoundLog, EvmLogQuery } from './evm-chain.ts'

/** Finds the matching logs of the 20,000 blocks from `fromBlock`, oldest first, as far as the chain has come. */
export type EventHistory = (fromBlock: bigint) => Promise<readonly EvmFoundLog[]>

type Deps = {
  readonly chain: Pick<EvmChain, 'head' | 'findLogs'>
  readonly query: Pick<EvmLogQuery, 'address' | 'topics'>
  readonly now: () => Instant
}

const PAGE_BLOCKS = 1_000n
const MAX_BLOCKS = 20_000n
/** Pages are read again after this time: an endpoint may have left something out. */
const PAGE_AGE_MS = 600_000
const MAX_PAGES = 256
/** Pages read of one history: what a page costs an endpoint bounds what strangers can make the service read. */
const PAGE_BUDGET = { burst: 60, perSecond: 4 }

/**
 * Reads a chain's past events in pages that all callers share. Nothing is read while nobody asks, and the blocks that are
 * not final are read once per head. The logs are one endpoint's word: they say where to look. Rejects with RpcError
 * NO_HEAD without a head and TOO_MUCH when too many pages were asked for.
 */
export const createEventHistory = ({ chain, query, now }: Deps): EventHistory => {
  const pages = createSharedReads<string, readonly EvmFoundLog[]>({
    now,
    maxAgeMs: PAGE_AGE_MS,
    limit: MAX_PAGES,
  })
  const budget = createTokenBucket(PAGE_BUDGET, now)
  const read = (key: string, fromBlock: bigint, toBlock: bigint): Promise<readonly EvmFoundLog[]> =>
    pages(key, async () => {
      if (!budget.take()) throw new RpcError('TOO_MUCH', 'too many old blocks were asked for')
      return chain.findLogs({ ...query, fromBlock, toBlock })
    })
  return async (fromBlock) => {
    const head = chain.head()
    if (head === undefined) throw new RpcError('NO_HEAD', 'no head')
    const end = fromBlock + MAX_BLOCKS
    const reads: Promise<readonly EvmFoundLog[]>[] = []
    let page = fromBlock / PAGE_BLOCKS
    for (; (page + 1n) * PAGE_BLOCKS <= head.finalNumber && page * PAGE_BLOCKS < end; page += 1n)
      reads.push(read(page.toString(), page * PAGE_BLOCKS, (page + 1n) * PAGE_BLOCKS - 1n))
    const start = page * PAGE_BLOCKS
    if (start < end && start <= head.number)
      reads.push(read(`${start} ${head.hash}`, start, least(head.number, start + MAX_BLOCKS - 1n)))
    const found = (await Promise.all(reads)).flat()
    return found.filter(({ blockNumber }) => blockNumber >= fromBlock)
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
