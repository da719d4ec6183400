import type { RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { blockCall, expectBlock, logsCall, parseBlock, parseLogs } from './block-calls.ts'
import type { EvmChain } from './evm-chain.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

const MAX_BLOCKS = 100

const byHash = (hash: string): RpcCall => ({ method: 'eth_getBlockByHash', params: [hash, false] })

const expectAtMost = (count: number): void => {
  if (count > MAX_BLOCKS) throw new RangeError(`expected at most ${MAX_BLOCKS} blocks: ${count}`)
}

/** Reads headers, and logs by block. Every answer comes from an endpoint that has proven to know the blocks. */
export const createBlockReader = ({ pool, deadlineMs }: Deps): Pick<EvmChain, 'blocks' | 'logsOfBlocks'> => ({
  blocks: async (numbers) => {
    if (numbers.length === 0) return []
    expectAtMost(numbers.length)
    return pool.read({
      calls: numbers.map(blockCall),
      parse: (answers) => numbers.map((number, index) => expectBlock(answers[index], number)),
      deadlineMs,
    })
  },
  logsOfBlocks: async (hashes, filter) => {
    if (hashes.length === 0) return []
    expectAtMost(hashes.length)
    return pool.read({
      calls: hashes.flatMap((hash) => [byHash(hash), logsCall(filter, { blockHash: hash })]),
      parse: (answers) =>
        hashes.flatMap((hash, index) => {
          const block = parseBlock(answers[2 * index])
          if (block === undefined) throw new RpcError('NODE_BEHIND', `node is behind, without block ${hash}`)
          const logs = parseLogs(answers[2 * index + 1], filter)
          if (block.hash !== hash || !logs.every(({ blockHash }) => blockHash === hash))
            throw new RpcError('MALFORMED', `another block than ${hash}`)
          return logs
        }),
      deadlineMs,
    })
  },
})
