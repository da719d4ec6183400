import type { RpcAnswer } from '../rpc/json-rpc.ts'
import { NodeLags } from '../rpc/node-lags.ts'
import { expectResult } from '../rpc/rpc-result.ts'
import { Quantity } from './rpc-answers.ts'

/** Throws NodeLags if the node's answer to `eth_blockNumber` is below the block. */
export const expectCaughtUp = (answer: RpcAnswer | undefined, number: bigint): void => {
  const reached = expectResult(answer, Quantity)
  if (reached < number) throw new NodeLags(`at block ${reached}`)
}
