import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from '../chains/catalog.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Network } from '../core/network.ts'
import type { Log } from '../lib/log.ts'
import type { Axelarscan } from '../protocols/axelar/gmp.ts'

/** Dependencies of every backend that uses Axelar. */
export type BackendDeps = {
  readonly catalog: Catalog
  readonly network: Network
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly axelarscan: Axelarscan
  readonly now: () => Instant
  readonly log: Log
}
