import { z } from 'zod'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { expectCaughtUp } from './caught-up.ts'
import type { EvmBlock, EvmBlockLog, EvmChain, EvmLogFilter } from './evm-chain.ts'
import { RpcBlock, RpcBlockLog } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

const MAX_BLOCKS = 100

const quantity = (value: bigint): string => `0x${value.toString(16)}`

const HEAD_CALL: RpcCall = { method: 'eth_blockNumber', params: [] }
const byNumber = (number: bigint): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [quantity(number), false],
})
const byHash = (hash: string): RpcCall => ({ method: 'eth_getBlockByHash', params: [hash, false] })
const logsCall = (
  { addresses, topics0 }: EvmLogFilter,
  where: Readonly<Record<string, string>>,
): RpcCall => ({
  method: 'eth_getLogs',
  params: [{ address: addresses, topics: [topics0], ...where }],
})

const expectAtMost = (count: number): void => {
  if (count > MAX_BLOCKS) throw new RangeError(`expected at most ${MAX_BLOCKS} blocks: ${count}`)
}

const presentBlock = ({ number, hash, parentHash, timestamp }: RpcBlock): EvmBlock => ({
  number,
  hash,
  parentHash,
  timestampSeconds: timestamp,
})

/** A null answer means that the node has not reached the block, or that the block left its chain. */
const expectBlock = (answer: RpcAnswer | undefined): EvmBlock | undefined => {
  const block = expectResult(answer, RpcBlock.nullable())
  return block === null ? undefined : presentBlock(block)
}

const parseLogs = (
  answer: RpcAnswer | undefined,
  { addresses, topics0 }: EvmLogFilter,
): readonly EvmBlockLog[] => {
  const logs = expectResult(answer, z.array(RpcBlockLog))
  const isWanted = ({ address, topics: [topic0 = ''] }: RpcBlockLog): boolean =>
    addresses.includes(address) && topics0.includes(topic0)
  if (!logs.every(isWanted)) throw new RpcError('MALFORMED', 'logs that were not asked for')
  const found = logs.map(
    ({ address, topics, data, transactionHash, blockNumber, blockHash, logIndex }): EvmBlockLog => ({
      address,
      topics,
      data,
      txHash: transactionHash,
      blockNumber,
      blockHash,
      position: Number(logIndex),
    }),
  )
  return inOrder(found)
}

/** Sorts oldest first and removes duplicates, which some nodes return. */
const inOrder = (logs: readonly EvmBlockLog[]): readonly EvmBlockLog[] =>
  logs
    .toSorted((one, other) => Number(one.blockNumber - other.blockNumber) || one.position - other.position)
    .filter((log, index, all) => {
      const previous = all[index - 1]
      return previous?.blockHash !== log.blockHash || previous.position !== log.position
    })

/** Reads headers, and logs by block. Every answer comes from an endpoint that has proven to know the blocks. */
export const createBlockReader = ({
  pool,
  deadlineMs,
}: Deps): Pick<EvmChain, 'blocks' | 'logsOfBlocks' | 'logsOfRange'> => ({
  blocks: async (numbers) => {
    if (numbers.length === 0) return []
    expectAtMost(numbers.length)
    return pool.read({
      calls: numbers.map(byNumber),
      parse: (answers) =>
        numbers.map((number, index) => {
          const block = expectBlock(answers[index])
          if (block === undefined)
            throw new RpcError('NODE_BEHIND', `node is behind, without block ${number}`)
          if (block.number !== number)
            throw new RpcError('MALFORMED', `block ${block.number}, expected ${number}`)
          return block
        }),
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
          const block = expectBlock(answers[2 * index])
          if (block === undefined) throw new RpcError('NODE_BEHIND', `node is behind, without block ${hash}`)
          const logs = parseLogs(answers[2 * index + 1], filter)
          if (block.hash !== hash || !logs.every(({ blockHash }) => blockHash === hash))
            throw new RpcError('MALFORMED', `another block than ${hash}`)
          return logs
        }),
      deadlineMs,
    })
  },
  logsOfRange: async ({ fromBlock, toBlock }, filter) =>
    pool.read({
      calls: [HEAD_CALL, logsCall(filter, { fromBlock: quantity(fromBlock), toBlock: quantity(toBlock) })],
      parse: ([reached, answer]) => {
        expectCaughtUp(reached, toBlock)
        const logs = parseLogs(answer, filter)
        if (!logs.every(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock))
          throw new RpcError('MALFORMED', 'logs that were not asked for')
        return logs
      },
      deadlineMs,
    }),
})
