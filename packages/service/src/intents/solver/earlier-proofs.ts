import type { ChainId } from '@openrfq/sdk'
import type { Store } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import type { SolverChain } from './assets.ts'
import type { TransactionStates } from './transaction-states.ts'

/** Prefix of proof keys in the outbox. */
export const PROOF_KEY_PREFIX = 'prove:'

type Deps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly store: Pick<Store, 'listOpenTransactions'>
  readonly states: Pick<TransactionStates, 'lookUpTransaction'>
  /** The newest final block whose events are known. */
  readonly readUpTo: (chainId: ChainId) => bigint
}

/**
 * Whether proofs that an earlier process signed on a chain may still be unknown. An open proof does not reveal its
 * orders until it is final and the chain has been read past it.
 */
export const createEarlierProofs = ({ chains, outboxes, store, states, readUpTo }: Deps) => {
  const open = new Map<ChainId, readonly string[]>()
  const knownFrom = new Map<ChainId, bigint>()

  const load = async (chainId: ChainId): Promise<readonly string[]> => {
    const sender = outboxes.get(chainId)?.sender
    const entries = sender === undefined ? [] : await store.listOpenTransactions(chainId, sender)
    return entries.map(({ key }) => key).filter((key) => key.startsWith(PROOF_KEY_PREFIX))
  }
  const stillOpen = async (keys: readonly string[]): Promise<readonly string[]> => {
    const found = await Promise.all(
      keys.map(async (key) => ({ key, state: await states.lookUpTransaction(key) })),
    )
    return found.flatMap(({ key, state }) => (state === 'open' ? [key] : []))
  }

  return async (chainId: ChainId): Promise<boolean> => {
    const keys = await stillOpen(open.get(chainId) ?? (await load(chainId)))
    open.set(chainId, keys)
    if (keys.length > 0) return true
    const final = knownFrom.get(chainId) ?? chains.get(chainId)?.evm.head()?.finalNumber
    if (final === undefined) return true
    knownFrom.set(chainId, final)
    return readUpTo(chainId) < final
  }
}
