import { setTimeout as sleep } from 'node:timers/promises'
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

const ATTEMPTS = 4
const PAUSE_MS = 25

const isLag = (error: unknown): boolean => error instanceof Error && error.cause instanceof NodeLags

/** Reads again, at most three times, while every endpoint lags: the next node behind the same address may not. */
export const readPastLag = async <Value>(read: () => Promise<Value>): Promise<Value> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await read()
    } catch (error) {
      if (attempt >= ATTEMPTS || !isLag(error)) throw error
      await sleep(PAUSE_MS)
    }
}
