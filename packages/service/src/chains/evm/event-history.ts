import type { Instant } from '../../core/instant.ts'
import { createFairShare, type FairShareSize } from '../../lib/fair-share.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { EvmChain, EvmFoundLog, EvmLogQuery } from './evm-chain.ts'

/**
 * Finds the matching logs of the 20,000 blocks from `fromBlock`, oldest first, as far as the chain has come, on the client's
 * share of the reads.
 */
export type EventHistory = (fromBlock: bigint, client: string) => Promise<readonly EvmFoundLog[]>

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
/** Final pages read of one history: what a page costs an endpoint bounds what strangers can make the service read. */
const PAGE_BUDGET: FairShareSize = { most: 120, windowMs: 30_000 }

/**
 * Reads a chain's past events in pages that all callers share. Nothing is read without a request, and the blocks that are
 * not final are read once per head. The logs are one endpoint's word: they say where to look. Rejects with RpcError
 * NO_HEAD without a head and TOO_MUCH when the client asked for too many pages; those that were read are kept for the next
 * call.
 */
export const createEventHistory = ({ chain, query, now }: Deps): EventHistory => {
  const pages = createSharedReads<string, readonly EvmFoundLog[]>({
    now,
    maxAgeMs: PAGE_AGE_MS,
    limit: MAX_PAGES,
  })
  const mayRead = createFairShare(PAGE_BUDGET, now)
  const read = (fromBlock: bigint, toBlock: bigint): Promise<readonly EvmFoundLog[]> =>
    chain.findLogs({ ...query, fromBlock, toBlock })
  const readFinal = (page: bigint, client: string): Promise<readonly EvmFoundLog[]> =>
    pages(page.toString(), async () => {
      if (!mayRead(client)) throw new RpcError('TOO_MUCH', 'too many old blocks were asked for')
      return read(page * PAGE_BLOCKS, (page + 1n) * PAGE_BLOCKS - 1n)
    })
  return async (fromBlock, client) => {
    const head = chain.head()
    if (head === undefined) throw new RpcError('NO_HEAD', 'no head')
    const end = fromBlock + MAX_BLOCKS
    const reads: Promise<readonly EvmFoundLog[]>[] = []
    let page = fromBlock / PAGE_BLOCKS
    for (; (page + 1n) * PAGE_BLOCKS <= head.finalNumber && page * PAGE_BLOCKS < end; page += 1n)
      reads.push(readFinal(page, client))
    const start = page * PAGE_BLOCKS
    if (start < end && start <= head.number)
      reads.push(
        pages(`${start} ${head.hash}`, () => read(start, least(head.number, start + MAX_BLOCKS - 1n))),
      )
    const found = (await Promise.all(reads)).flat()
    return found.filter(({ blockNumber }) => blockNumber >= fromBlock)
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
