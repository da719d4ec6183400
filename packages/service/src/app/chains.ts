import type { ChainId } from '@openrfq/sdk'
import { type Catalog, createCatalog } from '../chains/catalog.ts'
import { connectPaymentChains } from '../chains/connect-payment-chains.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import { createEvmChain } from '../chains/evm/index.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Network } from '../core/network.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

/** Clients of all configured chains, not started. */
export type Chains = {
  readonly catalog: Catalog
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
}

/** Connects the chains of a network. Throws `ConfigError` for an entry that contradicts itself or another. */
export const connectChains = (network: Network, clock: Clock, log: Log): Chains => {
  const catalog = createCatalog(network)
  const deps = { now: clock.steady, wallTime: clock.now, log }
  const evmChains = new Map(
    catalog.chains
      .filter(({ chainType }) => chainType === 'evm')
      .map((chain) => [chain.chainId, createEvmChain({ ...chain, ...deps })]),
  )
  return { catalog, evmChains, paymentChains: connectPaymentChains(catalog, deps) }
}
