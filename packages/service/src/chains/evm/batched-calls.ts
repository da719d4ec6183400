import { type BatchedWork, createBatches } from '../../lib/batches.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'

/** A call and how its answer is read; `parse` throws RpcError for an answer after which another endpoint is asked. */
type BatchedCall = {
  readonly call: RpcCall
  readonly parse: (answer: RpcAnswer | undefined) => bigint | undefined
}

/** Reads an amount; undefined if it cannot be read. */
export type BatchedCalls = BatchedWork<BatchedCall, bigint>

/** Reads the amounts that quotes wait for, many callers in one round trip. */
export const createBatchedCalls = (pool: RpcPool, deadlineMs: number): BatchedCalls =>
  createBatches({
    run: (items) =>
      pool.read({
        calls: items.map(({ call }) => call),
        parse: (answers) => items.map(({ parse }, position) => parse(answers[position])),
        deadlineMs,
      }),
    maximumItems: 50,
    maximumBatches: 4,
    maximumWaiting: 2_000,
  })
