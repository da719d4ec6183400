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

/** The node of a chain. Throws where the page has none. */
export const nodeOf = (findNode: FindNode, chainId: string): ChainNode => {
  const node = findNode(chainId)
  if (node === undefined) throw new Error(`this page has no node of ${chainId}`)
  return node
}

/** Who pays: an account that signs, or an address that pays from elsewhere. */
export type Payer =
  | {
      readonly kind: 'signer'
      readonly family: string
      readonly name: string
      readonly address: string
      /** Connects the account to a chain of its family. The libraries of the family are loaded when it is first used. */
      readonly open: (chainId: string, findNode: FindNode) => Promise<QuotePayer>
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

/** Whether a wallet signs on a chain of the family: on EVM chains it brings its own connection, elsewhere it needs a node. */
export const canUse = (
  wallet: BrowserWallet,
  family: string | undefined,
  node: ChainNode | undefined,
): boolean => wallet.family === family && (family === 'evm' || node !== undefined)
