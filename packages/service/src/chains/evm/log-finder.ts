import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { expectCaughtUp } from './caught-up.ts'
import type { EvmFoundLog, EvmLogQuery } from './evm-chain.ts'
import { RpcFoundLog } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number; readonly now: () => Instant }
type Range = { readonly fromBlock: bigint; readonly toBlock: bigint }

const MAX_BLOCKS = 20_000n
/** Blocks of one query that endpoints allow; the first is tried first. */
const BLOCKS_PER_QUERY = [1_000n, 100n, 10n] as const

const splitRange = ({ fromBlock, toBlock }: Range, blocks: bigint): readonly Range[] => {
  const ranges: Range[] = []
  for (let start = fromBlock; start <= toBlock; start += blocks) {
    const end = start + blocks - 1n
    ranges.push({ fromBlock: start, toBlock: end < toBlock ? end : toBlock })
  }
  return ranges
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`

const callFor = ({ address, topics }: EvmLogQuery, range: Range): RpcCall => ({
  method: 'eth_getLogs',
  params: [{ address, topics, fromBlock: quantity(range.fromBlock), toBlock: quantity(range.toBlock) }],
})

const isWanted = (log: RpcFoundLog, { address, topics }: EvmLogQuery, range: Range): boolean =>
  log.address === address.toLowerCase() &&
  topics.every((topic, position) => topic === null || topic.toLowerCase() === log.topics[position]) &&
  log.blockNumber >= range.fromBlock &&
  log.blockNumber <= range.toBlock

const present = (log: RpcFoundLog): EvmFoundLog => ({
  address: log.address,
  topics: log.topics,
  data: log.data,
  txHash: log.transactionHash,
  blockNumber: log.blockNumber,
})

const parseLogs = (
  answer: RpcAnswer | undefined,
  query: EvmLogQuery,
  range: Range,
): readonly EvmFoundLog[] => {
  const logs = expectResult(answer, z.array(RpcFoundLog))
  if (!logs.every((log) => isWanted(log, query, range)))
    throw new RpcError('MALFORMED', 'logs that were not asked for')
  return logs.map(present)
}

/** How nodes say that a query is for too many blocks or finds too much. */
const TOO_WIDE = /range|block|limit|too (many|large|wide)|exceed|more than/i
/** What they say of calls in a time and of unknown blocks, which fewer blocks do not change. */
const NOT_ABOUT_WIDTH = /rate.?limit|request|per second|quota|capacity|not found|cannot be found|unknown/i
/** Time after which an endpoint may have come to take wider ranges. */
const TRY_WIDER_MS = 3_600_000
/** The most queries of one search: the widest search in ranges of a hundred blocks. */
const MOST_QUERIES = 200

const isTooWide = (answer: RpcAnswer): boolean =>
  !answer.ok && TOO_WIDE.test(answer.message) && !NOT_ABOUT_WIDTH.test(answer.message)

/** The blocks of one query that each endpoint takes, learnt from its refusals; 0n for one that takes none. */
const createLearntRanges = (now: () => Instant) => {
  const learnt = new Map<number, { readonly blocks: bigint; readonly at: Instant }>()
  const wider = (blocks: bigint): bigint => BLOCKS_PER_QUERY.findLast((more) => more > blocks) ?? blocks
  const blocksOf = (endpoint: number): bigint => {
    const { blocks, at } = learnt.get(endpoint) ?? { blocks: BLOCKS_PER_QUERY[0], at: now() }
    return now() - at >= TRY_WIDER_MS ? wider(blocks) : blocks
  }
  return {
    blocksOf,
    /** Searches that ran beside each other may all be refused. */
    refused: (endpoint: number, blocks: bigint): void => {
      if (blocks > blocksOf(endpoint)) return
      learnt.set(endpoint, { blocks: BLOCKS_PER_QUERY.find((fewer) => fewer < blocks) ?? 0n, at: now() })
    },
    taken: (endpoint: number, blocks: bigint): void => {
      const known = learnt.get(endpoint)
      if (known !== undefined && blocks > known.blocks && blocks === blocksOf(endpoint))
        learnt.set(endpoint, { blocks, at: now() })
    },
  }
}

/**
 * Finds logs in ranges that the endpoint accepts, which its refusals teach. A node that has not reached the end of the
 * range returns too few logs instead of an error, so each request also asks for the endpoint's block number. An endpoint
 * that would have to be asked too often is passed over.
 */
export const createLogFinder = ({ pool, deadlineMs, now }: Deps) => {
  const learnt = createLearntRanges(now)
  return async (query: EvmLogQuery): Promise<readonly EvmFoundLog[]> => {
    const { fromBlock, toBlock } = query
    if (fromBlock < 0n || toBlock < fromBlock || toBlock - fromBlock >= MAX_BLOCKS)
      throw new RangeError(`expected 1 to ${MAX_BLOCKS} blocks: ${fromBlock} to ${toBlock}`)
    return pool.work(async (ask, endpoint) => {
      for (;;) {
        const blocks = learnt.blocksOf(endpoint)
        if (blocks * BigInt(MOST_QUERIES) <= toBlock - fromBlock)
          throw new RpcError('NODE_BUSY', `node takes log queries of ${blocks} blocks`)
        const ranges = splitRange(query, blocks)
        const [reached, ...answers] = await ask([HEAD_CALL, ...ranges.map((range) => callFor(query, range))])
        expectCaughtUp(reached, toBlock)
        if (answers.some(isTooWide)) {
          learnt.refused(endpoint, blocks)
          continue
        }
        const logs = ranges.flatMap((range, position) => parseLogs(answers[position], query, range))
        if (toBlock - fromBlock >= blocks - 1n) learnt.taken(endpoint, blocks)
        return logs
      }
    }, deadlineMs)
  }
}

const HEAD_CALL: RpcCall = { method: 'eth_blockNumber', params: [] }
