import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { blockCall, expectBlock } from './block-calls.ts'
import type { EvmCall, EvmChain } from './evm-chain.ts'
import { expectCallResult, RpcBlock } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

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
 * Reads contracts at the newest block of each endpoint whose chain contains a final one. Nodes without old state can
 * answer this. Source: EIP-1898.
 */
export const createAgreedCalls =
  ({ pool, deadlineMs }: Deps): EvmChain['callAgreed'] =>
  async (calls, { number, hash }) => {
    const results = await pool.agree({
      work: async (ask) => {
        const [final, latest] = await ask([blockCall(number), LATEST])
        if (expectBlock(final, number).hash !== hash)
          throw new RpcError('CHAIN_CHANGED', `block ${number} is another one`)
        const { hash: blockHash } = expectResult(latest, RpcBlock)
        const answers = await ask(
          calls.map((call) => ({ method: 'eth_call', params: [call, { blockHash }] })),
        )
        return calls.map((_call, index) => expectResultAt(answers[index], blockHash) ?? null)
      },
      deadlineMs,
    })
    return results.map((result) => result ?? undefined)
  }

/** Reads contracts in one batch from one endpoint: at its latest block, or at a block by hash. Source: EIP-1898. */
export const createCallReader =
  ({ pool, deadlineMs }: Deps): EvmChain['callMany'] =>
  async (calls: readonly EvmCall[], blockHash?: string) => {
    if (calls.length === 0) return []
    const block = blockHash === undefined ? 'latest' : { blockHash }
    return pool.read({
      calls: calls.map((call) => ({ method: 'eth_call', params: [call, block] })),
      parse: (answers) =>
        blockHash === undefined
          ? answers.map(expectCallResult)
          : answers.map((answer) => expectResultAt(answer, blockHash)),
      deadlineMs,
    })
  }
