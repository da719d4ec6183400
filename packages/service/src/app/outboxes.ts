import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/store.ts'
import { createTransactionOutbox, type TransactionOutbox } from '../transactions/transaction-outbox.ts'

/** The keeper's outboxes on every EVM chain; empty without a key. */
export const createOutboxes = (
  privateKey: string | undefined,
  evmChains: ReadonlyMap<ChainId, EvmChain>,
  store: Store,
  now: () => Instant,
  log: Log,
): ReadonlyMap<ChainId, TransactionOutbox> => {
  if (privateKey === undefined) return new Map()
  const outboxOf = (chain: EvmChain): TransactionOutbox =>
    createTransactionOutbox({ store, chain, privateKey, now, log })
  return new Map([...evmChains].map(([chainId, chain]) => [chainId, outboxOf(chain)]))
}
