import type { StellarAssets } from '@openrfq/sdk/stellar'

/** How a chain is reached, and what its family must know of the network beside that. */
export type ChainNode =
  | { readonly chainType: 'evm'; readonly rpcUrl: string }
  | {
      readonly chainType: 'solana'
      readonly rpcUrl: string
      /** Of PubSub; the RPC address over WebSocket when left out. */
      readonly subscriptionsUrl?: string | undefined
    }
  | ({ readonly chainType: 'stellar'; readonly rpcUrl: string } & StellarAssets)
