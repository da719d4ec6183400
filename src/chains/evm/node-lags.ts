import type { RpcAnswer } from './json-rpc.ts'
import { expectResult, Quantity } from './rpc-answers.ts'

/** A node answers properly but has not reached the block it was asked about; another one may have. */
export class NodeLags extends Error {
  constructor(where: string) {
    super(`node lags ${where}`)
    this.name = 'NodeLags'
  }
}

/** Throws NodeLags when the node, by its answer to `eth_blockNumber`, has not reached the block. */
export const expectCaughtUp = (answer: RpcAnswer | undefined, number: bigint): void => {
  const reached = expectResult(answer, Quantity)
  if (reached < number) throw new NodeLags(`at block ${reached}`)
}
