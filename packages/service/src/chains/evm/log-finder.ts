import { z } from 'zod'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { expectCaughtUp } from './caught-up.ts'
import type { EvmFoundLog, EvmLogQuery } from './evm-chain.ts'
import { RpcFoundLog } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }
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

const isTooWide = (answer: RpcAnswer): boolean => !answer.ok && TOO_WIDE.test(answer.message)

/**
 * Finds logs in ranges that the endpoint accepts, which its refusals teach. A node that has not reached the end of the
 * range returns too few logs instead of an error, so each request also asks for the endpoint's block number.
 */
export const createLogFinder = ({ pool, deadlineMs }: Deps) => {
  const steps = new Map<number, number>()
  return async (query: EvmLogQuery): Promise<readonly EvmFoundLog[]> => {
    const { fromBlock, toBlock } = query
    if (fromBlock < 0n || toBlock < fromBlock || toBlock - fromBlock >= MAX_BLOCKS)
      throw new RangeError(`expected 1 to ${MAX_BLOCKS} blocks: ${fromBlock} to ${toBlock}`)
    return pool.work(async (ask, endpoint) => {
      for (;;) {
        const step = steps.get(endpoint) ?? 0
        const ranges = splitRange(query, BLOCKS_PER_QUERY[step] ?? 1n)
        const [reached, ...answers] = await ask([HEAD_CALL, ...ranges.map((range) => callFor(query, range))])
        expectCaughtUp(reached, toBlock)
        if (step + 1 < BLOCKS_PER_QUERY.length && answers.some(isTooWide)) {
          steps.set(endpoint, step + 1)
          continue
        }
        return ranges.flatMap((range, position) => parseLogs(answers[position], query, range))
      }
    }, deadlineMs)
  }
}

const HEAD_CALL: RpcCall = { method: 'eth_blockNumber', params: [] }
