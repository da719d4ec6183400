import type { ChainId, ChainType } from '@openrfq/sdk'
import { ConfigError } from '../core/config-error.ts'
import type { Instant } from '../core/instant.ts'
import type { NetworkChain, NetworkToken } from '../core/network.ts'
import type { Log } from '../lib/log.ts'
import type { PaymentChain } from './payment-chain.ts'
import { createSolanaChain } from './solana/index.ts'
import { createStellarChain } from './stellar/index.ts'

/** The chains of a network and its tokens. */
type Listed = { readonly chains: readonly NetworkChain[]; readonly tokens: readonly NetworkToken[] }

type Deps = { readonly now: () => Instant; readonly wallTime?: () => Instant; readonly log: Log }

type Connect = (chain: NetworkChain, tokens: readonly NetworkToken[], deps: Deps) => PaymentChain

/** How each family is connected; null for one whose chains are no payment chains. */
const CONNECT = {
  evm: null,
  solana: (chain, mints, deps) => createSolanaChain({ ...chain, ...deps, mints }),
  stellar: (chain, tokens, deps) => {
    const { chainId, passphrase } = chain
    if (passphrase === undefined) throw new ConfigError(`chain ${chainId}: passphrase is missing`)
    return createStellarChain({ ...chain, ...deps, passphrase, tokens })
  },
} as const satisfies Record<ChainType, Connect | null>

const connect = (chain: NetworkChain, network: Listed, deps: Deps): PaymentChain | undefined => {
  const tokens = network.tokens.filter(({ chainId }) => chainId === chain.chainId)
  return CONNECT[chain.chainType]?.(chain, tokens, deps)
}

/**
 * Creates clients of a network's non-EVM chains without starting them. Throws `ConfigError` for a Stellar network without its
 * passphrase, and for a token that is not the contract of its asset.
 */
export const connectPaymentChains = (network: Listed, deps: Deps): ReadonlyMap<ChainId, PaymentChain> =>
  new Map(
    network.chains.flatMap((chain) => {
      const paymentChain = connect(chain, network, deps)
      return paymentChain === undefined ? [] : [[chain.chainId, paymentChain] as const]
    }),
  )
