import type { RpcAnswer } from '../json-rpc.ts'
import { NodeLags } from '../node-lags.ts'
import { expectResult } from '../rpc-result.ts'
import { Quantity } from './rpc-answers.ts'

/** Throws NodeLags when the node, by its answer to `eth_blockNumber`, has not reached the block. */
export const expectCaughtUp = (answer: RpcAnswer | undefined, number: bigint): void => {
  const reached = expectResult(answer, Quantity)
  if (reached < number) throw new NodeLags(`at block ${reached}`)
}
