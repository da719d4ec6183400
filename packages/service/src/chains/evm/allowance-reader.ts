import { createLru } from '../../lib/lru.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import { uintAt } from './abi-words.ts'
import { allowanceData } from './erc20.ts'
import type { EvmCall, EvmChain, EvmHead } from './evm-chain.ts'

type Deps = {
  readonly head: () => EvmHead | undefined
  readonly callMany: (calls: readonly EvmCall[]) => Promise<readonly (string | undefined)[]>
  readonly deadlineMs: number
}

/** Allowances of ERC-20 tokens in base units. */
type AllowanceReader = Pick<EvmChain, 'allowance'>

type Known = { readonly blockHash: string; readonly amount: bigint }
type Waiting = {
  readonly call: EvmCall
  readonly settle: (amount: bigint | undefined) => void
}

const MAX_KNOWN = 50_000
const MAX_BATCH = 50
const MAX_BATCHES = 4
const MAX_WAITING = 2_000

/**
 * Reads ERC-20 allowances in base units: cached per head, identical reads shared, many reads batched. Undefined after
 * the deadline; a late answer is still cached. Source: EIP-20.
 */
export const createAllowanceReader = ({ head, callMany, deadlineMs }: Deps): AllowanceReader => {
  const known = createLru<string, Known>(MAX_KNOWN)
  const share = shareInFlight<string, bigint | undefined>()
  let waiting: Waiting[] = []
  let batches = 0

  const runBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const answers = await callMany(batch.map(({ call }) => call)).catch(() => [])
    for (const [position, { settle }] of batch.entries()) settle(uintAt(answers[position] ?? '0x', 0))
  }

  const runWaiting = (): void => {
    while (waiting.length > 0 && batches < MAX_BATCHES) {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      batches += 1
      void runBatch(batch).finally(() => {
        batches -= 1
        runWaiting()
      })
    }
  }

  const read = (call: EvmCall): Promise<bigint | undefined> => {
    if (waiting.length >= MAX_WAITING) return Promise.resolve(undefined)
    return new Promise((settle) => {
      waiting.push({ call, settle })
      if (waiting.length === 1) setImmediate(runWaiting)
    })
  }

  const withinDeadline = (reading: Promise<bigint | undefined>): Promise<bigint | undefined> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, deadlineMs, undefined)
      void reading.then((amount) => {
        clearTimeout(timer)
        resolve(amount)
      })
    })

  const readAndKeep = async (key: string, call: EvmCall, blockHash: string): Promise<bigint | undefined> => {
    const amount = await read(call)
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
      return withinDeadline(share(key, () => readAndKeep(key, call, blockHash)))
    },
  }
}

const keyOf = (token: string, owner: string, spender: string): string => `${token} ${owner} ${spender}`
