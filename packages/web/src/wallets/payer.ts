import type { Payer as QuotePayer } from '@openrfq/sdk'

/** A node that the page may ask, with what its chain's SDK needs to know. */
export type ChainNode = {
  readonly rpcUrl: string
  readonly subscriptionsUrl: string | undefined
  /** The passphrase of a Stellar network, and its issued assets. */
  readonly passphrase: string
  readonly assets: readonly { readonly code: string; readonly issuer: string }[]
}

/** The node of a chain; undefined where the page has none. */
export type FindNode = (chainId: string) => ChainNode | undefined

/** Who pays: an account that signs, or an address that pays from elsewhere. */
export type Payer =
  | {
      readonly kind: 'signer'
      readonly family: string
      readonly name: string
      readonly address: string
      /** Connects the account to a chain of its family. The libraries of the family are loaded when it is first used. */
      readonly open: (chainId: string) => Promise<QuotePayer>
    }
  | { readonly kind: 'address'; readonly family: string; readonly name: string; readonly address: string }

/** A payer that signs. */
export type Signer = Extract<Payer, { kind: 'signer' }>

/** A wallet in the browser, not connected yet. `connect` asks for its account, and rejects when the person declines. */
export type BrowserWallet = {
  readonly id: string
  readonly family: string
  readonly name: string
  readonly connect: () => Promise<Signer>
}
