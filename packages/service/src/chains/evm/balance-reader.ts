import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { uintAt } from './abi-words.ts'
import { EVM_NATIVE_TOKEN } from './address.ts'
import { balanceOfData } from './erc20.ts'
import type { EvmBalances } from './evm-chain.ts'
import { expectCallResult, Quantity } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

const callFor = (owner: string, token: string): RpcCall =>
  token === EVM_NATIVE_TOKEN
    ? { method: 'eth_getBalance', params: [owner, 'latest'] }
    : { method: 'eth_call', params: [{ to: token, data: balanceOfData(owner) }, 'latest'] }

const expectAmount = (answer: RpcAnswer | undefined, token: string): bigint | undefined => {
  if (token === EVM_NATIVE_TOKEN) return expectResult(answer, Quantity)
  if (answer === undefined) throw new RpcError('MALFORMED', 'no balance')
  const result = expectCallResult(answer)
  return result === undefined ? undefined : uintAt(result, 0)
}

/** Reads native and ERC-20 balances in one batch from one endpoint, together with its block number. */
export const createBalanceReader =
  ({ pool, deadlineMs }: Deps) =>
  (owner: string, tokens: readonly string[]): Promise<EvmBalances> =>
    pool.read({
      calls: [{ method: 'eth_blockNumber', params: [] }, ...tokens.map((token) => callFor(owner, token))],
      parse: ([reached, ...answers]) => ({
        blockNumber: expectResult(reached, Quantity),
        amounts: tokens.map((token, position) => expectAmount(answers[position], token)),
      }),
      deadlineMs,
    })
