import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError, rpcErrorCode } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { blockCall, ethCall, expectBlock } from './block-calls.ts'
import type { AgreedCalls, EvmCall, EvmChain, EvmResult } from './evm-chain.ts'
import type { AskContracts } from './multicall.ts'
import { expectCallResult, RpcBlock } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

type ReaderDeps = Deps & { readonly askContracts: AskContracts }

/** As `expectCallResult`; a node that cannot run a call at a block is treated as not having reached it. */
const expectResultAt = (answer: RpcAnswer | undefined, blockHash: string): string | undefined => {
  try {
    return expectCallResult(answer)
  } catch (cause) {
    throw answer?.ok === false
      ? new RpcError('NODE_BEHIND', `node is behind, without block ${blockHash}`)
      : cause
  }
}

const LATEST: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/**
 * The endpoint's newest block; throws RpcError unless its chain contains the given block: CHAIN_CHANGED if it never will,
 * because it has another block in its place or is past its time without it.
 */
const readLatest = async (ask: RpcAsk, after: AgreedCalls['after']): Promise<string> => {
  const [answer, contained] = await ask([LATEST, ...(after === undefined ? [] : [blockCall(after.number)])])
  const latest = expectResult(answer, RpcBlock)
  if (after === undefined) return latest.hash
  const { number, hash, timestampSeconds = Number.POSITIVE_INFINITY } = after
  if (latest.number < number && latest.timestamp > timestampSeconds)
    throw new RpcError('CHAIN_CHANGED', `the time of block ${number} is past, at block ${latest.number}`)
  if (hash !== undefined && expectBlock(contained, number).hash !== hash)
    throw new RpcError('CHAIN_CHANGED', `block ${number} is another one`)
  expectBlock(contained, number)
  return latest.hash
}

/** Reads contracts at the newest block of one endpoint; nodes without old state can answer this. Source: EIP-1898. */
const readAtNewest =
  (
    calls: readonly EvmCall[],
    { after, isReached = () => true }: AgreedCalls,
  ): RpcWork<readonly EvmResult[]> =>
  async (ask) => {
    const blockHash = await readLatest(ask, after)
    const answers = await ask(calls.map((call) => ethCall(call, { blockHash })))
    const results = calls.map((_call, index) => expectResultAt(answers[index], blockHash))
    if (!isReached(results)) throw new RpcError('NODE_BEHIND', 'node is behind what it was asked about')
    return results
  }

/** Reads contracts as a quorum of endpoints answer alike, or as each of them answers by itself. */
export const createAgreedCalls = ({
  pool,
  deadlineMs,
}: Deps): Pick<EvmChain, 'callAgreed' | 'callStatements'> => ({
  callAgreed: (calls, expected) => pool.agree({ work: readAtNewest(calls, expected), deadlineMs }),
  callStatements: ({ about, call, confirms, after }) =>
    pool.statements({
      about,
      confirms: async (ask, endpoint) => {
        const read = readAtNewest([call], after === undefined ? {} : { after })
        try {
          const [result] = await read(ask, endpoint)
          return confirms(result)
        } catch (error) {
          // The others agreed on a block that this endpoint excludes.
          if (rpcErrorCode(error) === 'CHAIN_CHANGED') return false
          throw error
        }
      },
      deadlineMs,
    }),
})

/**
 * Reads contracts in one round trip from one endpoint, aggregated where the chain allows it: at its latest block, or at a
 * block by hash. Source: EIP-1898.
 */
export const createCallReader =
  ({ pool, askContracts, deadlineMs }: ReaderDeps): EvmChain['callMany'] =>
  async (calls: readonly EvmCall[], blockHash?: string) => {
    if (calls.length === 0) return []
    const block = blockHash === undefined ? 'latest' : { blockHash }
    return pool.workForQuotes(async (ask) => {
      const answers = await askContracts(ask, calls, block)
      return blockHash === undefined
        ? answers.map(expectCallResult)
        : answers.map((answer) => expectResultAt(answer, blockHash))
    }, deadlineMs)
  }
