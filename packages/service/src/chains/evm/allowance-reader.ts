import { inTime } from '../../lib/in-time.ts'
import { createLru } from '../../lib/lru.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import { uintAt } from './abi-words.ts'
import type { BatchedCalls } from './batched-calls.ts'
import { allowanceData } from './erc20.ts'
import type { EvmChain, EvmHead } from './evm-chain.ts'
import { expectCallResult } from './rpc-answers.ts'

type Deps = {
  readonly head: () => EvmHead | undefined
  readonly batched: BatchedCalls
  readonly deadlineMs: number
}

/** Allowances of ERC-20 tokens in base units. */
type AllowanceReader = Pick<EvmChain, 'allowance'>

type Known = { readonly blockHash: string; readonly amount: bigint }

const MAX_KNOWN = 50_000

/**
 * Reads ERC-20 allowances in base units: cached per head, identical reads shared, many reads batched. Undefined after
 * the deadline; a late answer is still cached. Source: EIP-20.
 */
export const createAllowanceReader = ({ head, batched, deadlineMs }: Deps): AllowanceReader => {
  const known = createLru<string, Known>(MAX_KNOWN)
  const share = shareInFlight<string, bigint | undefined>()

  const readAndKeep = async (
    key: string,
    call: { readonly to: string; readonly data: string },
    blockHash: string,
  ): Promise<bigint | undefined> => {
    const amount = await batched({
      call,
      parse: (answer) => uintAt(expectCallResult(answer) ?? '0x', 0),
    })
    if (amount !== undefined) known.set(key, { blockHash, amount })
    return amount
  }

  const knownUnder = (blockHash: string | undefined, key: string): bigint | undefined => {
    const found = known.get(key)
    return found?.blockHash === blockHash ? found?.amount : undefined
  }

  return {
    allowance: (token, owner, spender) => {
      const blockHash = head()?.hash
      if (blockHash === undefined) return Promise.resolve(undefined)
      const key = keyOf(token, owner, spender)
      const amount = knownUnder(blockHash, key)
      if (amount !== undefined) return Promise.resolve(amount)
      const call = { to: token, data: allowanceData(owner, spender) }
      return inTime(
        share(key, () => readAndKeep(key, call, blockHash)),
        deadlineMs,
      )
    },
  }
}

const keyOf = (token: string, owner: string, spender: string): string => `${token} ${owner} ${spender}`
