import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { SETTLED_BLOCKS } from '../settled-blocks.ts'
import { uintAt } from './abi-words.ts'
import { EVM_NATIVE_TOKEN } from './address.ts'
import type { BatchedCalls } from './batched-calls.ts'
import { quantity } from './block-calls.ts'
import { balanceOfData } from './erc20.ts'
import type { EvmChain, EvmHead } from './evm-chain.ts'
import { expectCallResult, Quantity } from './rpc-answers.ts'

/** `unitsOf`: base units of the native asset in what a node tells. */
type Deps = {
  readonly head: () => EvmHead | undefined
  readonly batched: BatchedCalls
  readonly unitsOf: (value: bigint) => bigint
}

const callAt = (owner: string, token: string, block: string): RpcCall =>
  token === EVM_NATIVE_TOKEN
    ? { method: 'eth_getBalance', params: [owner, block] }
    : { method: 'eth_call', params: [{ to: token, data: balanceOfData(owner) }, block] }

const parserOf =
  (token: string, unitsOf: Deps['unitsOf']) =>
  (answer: RpcAnswer | undefined): bigint | undefined =>
    token === EVM_NATIVE_TOKEN
      ? unitsOf(expectResult(answer, Quantity))
      : uintAt(expectCallResult(answer) ?? '0x', 0)

/** An answer about an old block, which a node without its state refuses. */
const tolerant =
  (parse: ReturnType<typeof parserOf>) =>
  (answer: RpcAnswer | undefined): bigint | undefined => {
    try {
      return parse(answer)
    } catch {
      return undefined
    }
  }

/** Reads how much of a token an account has at the newest block and had `SETTLED_BLOCKS` before. Source: EIP-20. */
export const createHeldReader =
  ({ head, batched, unitsOf }: Deps): EvmChain['heldBy'] =>
  async (owner, token) => {
    const newest = head()?.number
    if (newest === undefined) return undefined
    const earlier = quantity(newest > SETTLED_BLOCKS ? newest - SETTLED_BLOCKS : 0n)
    const parse = parserOf(token, unitsOf)
    const newestCall =
      token === EVM_NATIVE_TOKEN ? callAt(owner, token, 'latest') : { to: token, data: balanceOfData(owner) }
    const [now, before] = await Promise.all([
      batched({ call: newestCall, parse }),
      batched({ call: callAt(owner, token, earlier), parse: tolerant(parse) }),
    ])
    if (now === undefined) return undefined
    return before === undefined || before < now ? (before ?? 0n) : now
  }
