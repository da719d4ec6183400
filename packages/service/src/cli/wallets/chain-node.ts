import type { StellarAssets } from '@openrfq/sdk/stellar'

/** A chain's node, with what its family needs to know about the network. */
export type ChainNode =
  | { readonly chainType: 'evm'; readonly rpcUrl: string }
  | {
      readonly chainType: 'solana'
      readonly rpcUrl: string
      /** The PubSub URL; by default the RPC URL over WebSocket. */
      readonly subscriptionsUrl?: string | undefined
    }
  | ({ readonly chainType: 'stellar'; readonly rpcUrl: string } & StellarAssets)
