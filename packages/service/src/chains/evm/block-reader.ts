import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { blockCall, expectBlock, logsCall, parseBlock, parseBloom, parseLogs } from './block-calls.ts'
import type { EvmBlockLog, EvmChain, EvmLogFilter } from './evm-chain.ts'
import { mayHoldLogs } from './logs-bloom.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

const MAX_BLOCKS = 100

const byHash = (hash: string): RpcCall => ({ method: 'eth_getBlockByHash', params: [hash, false] })

const expectAtMost = (count: number): void => {
  if (count > MAX_BLOCKS) throw new RangeError(`expected at most ${MAX_BLOCKS} blocks: ${count}`)
}

/** The logs of one block as an endpoint tells them; `isDoubtful` when it tells none although the header allows some. */
type BlockLogs = { readonly logs: readonly EvmBlockLog[]; readonly isDoubtful: boolean }

const logCalls = (hashes: readonly string[], filter: EvmLogFilter): readonly RpcCall[] =>
  hashes.flatMap((hash) => [byHash(hash), logsCall(filter, { blockHash: hash })])

const parseBlockLogs = (
  answers: readonly RpcAnswer[],
  hashes: readonly string[],
  filter: EvmLogFilter,
): readonly BlockLogs[] =>
  hashes.map((hash, index) => {
    const header = answers[2 * index]
    const block = parseBlock(header)
    if (block === undefined) throw new RpcError('NODE_BEHIND', `node is behind, without block ${hash}`)
    const logs = parseLogs(answers[2 * index + 1], filter)
    if (block.hash !== hash || !logs.every(({ blockHash }) => blockHash === hash))
      throw new RpcError('MALFORMED', `another block than ${hash}`)
    const bloom = parseBloom(header)
    return { logs, isDoubtful: logs.length === 0 && bloom !== undefined && mayHoldLogs(bloom, filter) }
  })

/**
 * The logs of blocks that one endpoint calls empty although their headers allow logs, asked of every endpoint: those of
 * the first that has some, or none when a quorum has none. Throws RpcError NODE_BEHIND when fewer can tell.
 */
const readDoubtful = async (
  { pool, deadlineMs }: Deps,
  hashes: readonly string[],
  filter: EvmLogFilter,
): Promise<ReadonlyMap<string, readonly EvmBlockLog[]>> => {
  const asked = await Promise.allSettled(
    pool.workEach(
      async (ask) => parseBlockLogs(await ask(logCalls(hashes, filter)), hashes, filter),
      deadlineMs,
    ),
  )
  const told = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return new Map(
    hashes.map((hash, index) => {
      const found = told.map((blocks) => blocks[index]?.logs ?? []).find(({ length }) => length > 0)
      if (found === undefined && told.length < pool.quorum)
        throw new RpcError('NODE_BEHIND', `${told.length} endpoints have no logs of block ${hash}`)
      return [hash, found ?? []]
    }),
  )
}

/** Reads headers, and logs by block. Every answer comes from an endpoint that has proven to know the blocks. */
export const createBlockReader = (deps: Deps): Pick<EvmChain, 'blocks' | 'logsOfBlocks'> => {
  const { pool, deadlineMs } = deps
  return {
    blocks: async (numbers) => {
      if (numbers.length === 0) return []
      expectAtMost(numbers.length)
      return pool.read({
        calls: numbers.map(blockCall),
        parse: (answers, checkTime) => {
          const blocks = numbers.map((number, index) => expectBlock(answers[index], number))
          for (const { timestampSeconds } of blocks) checkTime(timestampSeconds)
          return blocks
        },
        deadlineMs,
      })
    },
    logsOfBlocks: async (hashes, filter) => {
      if (hashes.length === 0) return []
      expectAtMost(hashes.length)
      const read = await pool.read({
        calls: logCalls(hashes, filter),
        parse: (answers) => parseBlockLogs(answers, hashes, filter),
        deadlineMs,
      })
      const doubtful = hashes.filter((_, index) => read[index]?.isDoubtful === true)
      const confirmed =
        doubtful.length === 0 ? new Map<string, never>() : await readDoubtful(deps, doubtful, filter)
      return hashes.flatMap((hash, index) => confirmed.get(hash) ?? read[index]?.logs ?? [])
    },
  }
}
