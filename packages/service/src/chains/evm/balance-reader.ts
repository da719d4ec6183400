import { balancesOfQuorum } from '../rpc/balances-of-quorum.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { uintAt } from './abi-words.ts'
import { EVM_NATIVE_TOKEN } from './address.ts'
import { balanceOfData } from './erc20.ts'
import type { EvmBalances, EvmChain } from './evm-chain.ts'
import { expectCallResult, Quantity } from './rpc-answers.ts'

/** `unitsOf`: base units of the native asset in what a node tells. */
type Deps = {
  readonly pool: RpcPool
  readonly deadlineMs: number
  readonly unitsOf: (value: bigint) => bigint
}

const callFor = (owner: string, token: string): RpcCall =>
  token === EVM_NATIVE_TOKEN
    ? { method: 'eth_getBalance', params: [owner, 'latest'] }
    : { method: 'eth_call', params: [{ to: token, data: balanceOfData(owner) }, 'latest'] }

const expectAmount = (
  answer: RpcAnswer | undefined,
  token: string,
  unitsOf: Deps['unitsOf'],
): bigint | undefined => {
  if (token === EVM_NATIVE_TOKEN) return unitsOf(expectResult(answer, Quantity))
  if (answer === undefined) throw new RpcError('MALFORMED', 'no balance')
  const result = expectCallResult(answer)
  return result === undefined ? undefined : uintAt(result, 0)
}

const callsFor = (owner: string, tokens: readonly string[]): readonly RpcCall[] => [
  { method: 'eth_blockNumber', params: [] },
  ...tokens.map((token) => callFor(owner, token)),
]

const parseFor =
  (tokens: readonly string[], unitsOf: Deps['unitsOf']) =>
  ([reached, ...answers]: readonly RpcAnswer[]): EvmBalances => ({
    blockNumber: expectResult(reached, Quantity),
    amounts: tokens.map((token, position) => expectAmount(answers[position], token, unitsOf)),
  })

/** Reads native and ERC-20 balances in one batch from an endpoint, together with its block number. */
export const createBalanceReader = ({
  pool,
  deadlineMs,
  unitsOf,
}: Deps): Pick<EvmChain, 'balances' | 'balancesOfQuorum'> => ({
  balances: (owner, tokens) =>
    pool.read({ calls: callsFor(owner, tokens), parse: parseFor(tokens, unitsOf), deadlineMs }),
  balancesOfQuorum: (owner, tokens) => {
    const work = async (ask: RpcAsk) => {
      const { blockNumber: number, amounts } = parseFor(tokens, unitsOf)(await ask(callsFor(owner, tokens)))
      return { number, amounts }
    }
    return balancesOfQuorum({ pool, deadlineMs }, work, tokens.length)
  },
})
