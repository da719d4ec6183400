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
/** What public endpoints allow per query. */
const BLOCKS_PER_QUERY = 1_000n

const splitRange = ({ fromBlock, toBlock }: Range): readonly Range[] => {
  const ranges: Range[] = []
  for (let start = fromBlock; start <= toBlock; start += BLOCKS_PER_QUERY) {
    const end = start + BLOCKS_PER_QUERY - 1n
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

/**
 * Finds logs in ranges that public endpoints accept. A node that has not reached the end of the range returns too few
 * logs instead of an error, so each batch also asks for the endpoint's block number.
 */
export const createLogFinder =
  ({ pool, deadlineMs }: Deps) =>
  async (query: EvmLogQuery): Promise<readonly EvmFoundLog[]> => {
    const { fromBlock, toBlock } = query
    if (fromBlock < 0n || toBlock < fromBlock || toBlock - fromBlock >= MAX_BLOCKS)
      throw new RangeError(`expected 1 to ${MAX_BLOCKS} blocks: ${fromBlock} to ${toBlock}`)
    const ranges = splitRange(query)
    return pool.read({
      calls: [{ method: 'eth_blockNumber', params: [] }, ...ranges.map((range) => callFor(query, range))],
      parse: ([reached, ...answers]) => {
        expectCaughtUp(reached, toBlock)
        return ranges.flatMap((range, position) => parseLogs(answers[position], query, range))
      },
      deadlineMs,
    })
  }
