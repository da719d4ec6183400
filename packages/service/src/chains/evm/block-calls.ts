import { z } from 'zod'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { EvmBlock, EvmBlockLog, EvmCall, EvmLogFilter } from './evm-chain.ts'
import { RpcBlock, RpcBlockLog } from './rpc-answers.ts'

/** A number as JSON-RPC writes it. */
export const quantity = (value: bigint): string => `0x${value.toString(16)}`

/** The block that calls are read at. */
export type CallBlock = 'latest' | { readonly blockHash: string }

/** The call that reads a contract at a block. Source: Ethereum JSON-RPC, EIP-1898. */
export const ethCall = ({ to, data, from, value, gas }: EvmCall, block: CallBlock): RpcCall => {
  const optional = {
    ...(from === undefined ? {} : { from }),
    ...(value === undefined ? {} : { value: quantity(value) }),
    ...(gas === undefined ? {} : { gas: quantity(gas) }),
  }
  return { method: 'eth_call', params: [{ to, data, ...optional }, block] }
}

/** The call for the header at a number. Source: Ethereum JSON-RPC. */
export const blockCall = (number: bigint): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [quantity(number), false],
})

/** The call for the logs of a block or a range of blocks. Source: Ethereum JSON-RPC. */
export const logsCall = (
  { addresses, topics0 }: EvmLogFilter,
  where: Readonly<Record<string, string>>,
): RpcCall => ({
  method: 'eth_getLogs',
  params: [{ address: addresses, topics: [topics0], ...where }],
})

/** The header in an answer; undefined for one that the node has not reached, or that left its chain. */
export const parseBlock = (answer: RpcAnswer | undefined): EvmBlock | undefined => {
  const block = expectResult(answer, RpcBlock.nullable())
  if (block === null) return undefined
  const { number, hash, parentHash, timestamp } = block
  return { number, hash, parentHash, timestampSeconds: timestamp }
}

/** The bloom filter of a block's logs; undefined when the answer has none. */
export const parseBloom = (answer: RpcAnswer | undefined): string | undefined =>
  expectResult(answer, RpcBlock.nullable())?.logsBloom ?? undefined

/** The header at a number; throws RpcError NODE_BEHIND if the node does not have it. */
export const expectBlock = (answer: RpcAnswer | undefined, number: bigint): EvmBlock => {
  const block = parseBlock(answer)
  if (block === undefined) throw new RpcError('NODE_BEHIND', `node is behind, without block ${number}`)
  if (block.number !== number) throw new RpcError('MALFORMED', `block ${block.number}, expected ${number}`)
  return block
}

/** The logs in an answer, oldest first; throws RpcError for one that the filter does not match. */
export const parseLogs = (
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
