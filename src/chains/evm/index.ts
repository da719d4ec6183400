import type { ChainId } from '../../core/chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../core/log.ts'
import type { EvmChain } from './evm-chain.ts'
import type { EvmTiming } from './timing.ts'

/** What a live chain is made of: where it is read, when its blocks count as final, and the service's clock and log. */
export type EvmChainDeps = {
  readonly chainId: ChainId
  readonly rpcUrls: readonly string[]
  readonly finality: 'finalized' | number
  readonly now: () => Instant
  readonly log: Log
  readonly timing?: Partial<EvmTiming>
}

/** A live EVM chain read over JSON-RPC from the first of its endpoints that answers. */
export const createEvmChain = (deps: EvmChainDeps): EvmChain => {
  throw new Error(`not built yet: ${deps.chainId}`)
}
