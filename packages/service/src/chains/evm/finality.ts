import { z } from 'zod'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { Quantity } from './rpc-answers.ts'

/** When a block is final: under that many others, or when the node's own tag says so. */
export type Finality = 'finalized' | number

const Numbered = z.object({ number: Quantity })

/** The call whose answer tells a node's newest final block. Source: Ethereum JSON-RPC. */
export const finalityCall = (finality: Finality): RpcCall =>
  finality === 'finalized'
    ? { method: 'eth_getBlockByNumber', params: ['finalized', false] }
    : { method: 'eth_blockNumber', params: [] }

/** The number of the newest block that the node calls final; below zero for none. */
const finalNumberOf = (answer: RpcAnswer | undefined, finality: Finality): bigint =>
  finality === 'finalized'
    ? expectResult(answer, Numbered).number
    : expectResult(answer, Quantity) - BigInt(finality)

/**
 * The newest block that the node's answer to `finalityCall` makes final. Throws RpcError NODE_BEHIND if it is below the
 * given one.
 */
export const expectFinal = (answer: RpcAnswer | undefined, finality: Finality, number: bigint): bigint => {
  const final = finalNumberOf(answer, finality)
  if (final < number) throw new RpcError('NODE_BEHIND', `node is behind, final up to block ${final}`)
  return final
}
