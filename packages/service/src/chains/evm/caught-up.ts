import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { Quantity } from './rpc-answers.ts'

/** Throws RpcError NODE_BEHIND if the node's answer to `eth_blockNumber` is below the block. */
export const expectCaughtUp = (answer: RpcAnswer | undefined, number: bigint): void => {
  const reached = expectResult(answer, Quantity)
  if (reached < number) throw new RpcError('NODE_BEHIND', `node is behind, at block ${reached}`)
}
