import { evmChainNumberOf } from '@openrfq/sdk'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import { RpcError } from '../chains/rpc/rpc-error.ts'
import type { EvmPrivateKey } from '../core/evm-private-key.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import { createMutex } from '../lib/mutex.ts'
import type { Store, StoredTransaction } from '../store/store.ts'
import { MAXIMUM_OPEN } from './nonce-repair.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createSigner, type SignerCall } from './signer.ts'
import { createTransactionMonitor, type TransactionTiming } from './transaction-monitor.ts'

/** A call with a unique key; a key permanently names one call on one chain. */
export type KeyedCall = SignerCall & { readonly key: string }

/** Makes calls from one account on one EVM chain. */
export type TransactionOutbox = Outbox<KeyedCall, StoredTransaction>

type TransactionOutboxDeps = {
  readonly store: Store
  readonly chain: EvmChain
  readonly privateKey: EvmPrivateKey
  readonly now: () => Instant
  readonly log: Log
  readonly timing?: Partial<TransactionTiming>
}

const DEFAULT_TIMING: TransactionTiming = { roundMs: 1_000, rebroadcastMs: 5_000, patienceMs: 15_000 }

/**
 * Creates an outbox of calls. A transaction with outdated fees is signed again under the same nonce, and again stored
 * before it is sent; either may be mined, never both.
 */
export const createTransactionOutbox = (deps: TransactionOutboxDeps): TransactionOutbox => {
  const { store, chain, now, log } = deps
  const { chainId } = chain
  const timing = { ...DEFAULT_TIMING, ...deps.timing }
  const signer = createSigner(deps.privateKey, Number(evmChainNumberOf(chainId)))
  const { sender } = signer

  /** Waiting transactions are the stored ones; what an endpoint counts beyond them may be made up. */
  const nextNonce = async (): Promise<number> =>
    store.freeNonce(chainId, sender, await chain.transactionCount(sender))

  const sign = async ({ key, ...call }: KeyedCall): Promise<StoredTransaction> => {
    const head = chain.head()
    if (head === undefined) throw new RpcError('NO_HEAD', `${chainId} cannot be read; ${key} is not signed`)
    const nonce = await nextNonce()
    const signed = await signer.sign(call, nonce, head)
    return { ...signed, key, chainId, sender, nonce, earlierTxHashes: [], signedAt: now(), outcome: 'open' }
  }

  return createOutbox({
    chainId,
    sender,
    what: 'transaction',
    roundMs: timing.roundMs,
    maximumOpen: MAXIMUM_OPEN,
    find: store.findTransaction,
    listOpen: () => store.listOpenTransactions(chainId, sender),
    sign,
    add: store.addTransaction,
    monitor: createTransactionMonitor({ store, chain, signer, timing, now, log }),
    inTurn: createMutex(),
    log,
  })
}
