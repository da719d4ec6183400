import { type BatchedWork, createBatches } from '../../lib/batches.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import type { EvmCall } from './evm-chain.ts'
import type { AskContracts } from './multicall.ts'

/**
 * A contract read at the newest block or another call, and how its answer is read; `parse` throws RpcError for an answer
 * after which another endpoint is asked.
 */
type BatchedCall = {
  readonly call: EvmCall | RpcCall
  readonly parse: (answer: RpcAnswer | undefined) => bigint | undefined
}

/** Reads an amount; undefined if it cannot be read. */
export type BatchedCalls = BatchedWork<BatchedCall, bigint>

type Deps = { readonly pool: RpcPool; readonly askContracts: AskContracts; readonly deadlineMs: number }

const isContractRead = (call: EvmCall | RpcCall): call is EvmCall => 'to' in call
const isOtherCall = (call: EvmCall | RpcCall): call is RpcCall => !isContractRead(call)

/** The answers to all calls, in their order. */
const askAll = async (
  ask: RpcAsk,
  askContracts: AskContracts,
  calls: readonly (EvmCall | RpcCall)[],
): Promise<readonly (RpcAnswer | undefined)[]> => {
  const reads = calls.filter(isContractRead)
  const answers = await askContracts(ask, reads, 'latest', calls.filter(isOtherCall))
  let [nextRead, nextOther] = [0, reads.length]
  return calls.map((call) => answers[isContractRead(call) ? nextRead++ : nextOther++])
}

/** Reads the amounts that quotes wait for, many callers in one round trip. */
export const createBatchedCalls = ({ pool, askContracts, deadlineMs }: Deps): BatchedCalls =>
  createBatches({
    run: (items) =>
      pool.workForQuotes(async (ask) => {
        const answers = await askAll(
          ask,
          askContracts,
          items.map(({ call }) => call),
        )
        return items.map(({ parse }, position) => parse(answers[position]))
      }, deadlineMs),
    maximumItems: 50,
    maximumBatches: 4,
    maximumWaiting: 2_000,
  })
