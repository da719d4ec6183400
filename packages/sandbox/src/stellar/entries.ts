import type { xdr } from '@stellar/stellar-sdk/base'
import type { AssetName } from './asset-name.ts'

/** An additional signer of an account; `key` is the SignerKey in base64 XDR. */
type AccountSigner = {
  readonly key: string
  readonly weight: number
  readonly sponsor: string | undefined
}

/** An account. Amounts are stroops; `selling` and `buying` are its offers' liabilities. */
export type AccountEntry = {
  readonly kind: 'account'
  readonly address: string
  readonly balance: bigint
  readonly seqNum: bigint
  /** The ledger in which the sequence number last changed, and its close time in seconds. */
  readonly seqLedger: number
  readonly seqTime: bigint
  readonly subentries: number
  readonly flags: number
  readonly homeDomain: string
  readonly inflationDestination: string | undefined
  readonly masterWeight: number
  readonly lowThreshold: number
  readonly mediumThreshold: number
  readonly highThreshold: number
  readonly signers: readonly AccountSigner[]
  readonly selling: bigint
  readonly buying: bigint
  /** Base reserves that others sponsor for this account, and that this account sponsors. */
  readonly sponsored: number
  readonly sponsoring: number
  readonly sponsor: string | undefined
}

/** An account's balance of an issued asset. */
export type TrustlineEntry = {
  readonly kind: 'trustline'
  readonly account: string
  readonly asset: AssetName
  readonly balance: bigint
  readonly limit: bigint
  readonly flags: number
  readonly selling: bigint
  readonly buying: bigint
  /** Liquidity pools that the account is in with this asset: none in the sandbox, kept for entries of the public network. */
  readonly poolUses: number
  readonly sponsor: string | undefined
}

/** A price as a ratio: units bought per unit sold. */
export type Price = { readonly n: number; readonly d: number }

/** An offer in the order book; `amount` is in the asset it sells. */
export type OfferEntry = {
  readonly kind: 'offer'
  readonly seller: string
  readonly offerId: bigint
  readonly selling: AssetName
  readonly buying: AssetName
  readonly amount: bigint
  readonly price: Price
  readonly sponsor: string | undefined
}

/** A claimable balance; `balanceId` is 32 bytes in hex. */
export type ClaimableEntry = {
  readonly kind: 'claimable'
  readonly balanceId: string
  readonly claimants: readonly xdr.Claimant[]
  readonly asset: AssetName
  readonly amount: bigint
  readonly clawback: boolean
  readonly sponsor: string
}

/** A named value of an account; name and value in hex. */
type DataEntry = {
  readonly kind: 'data'
  readonly account: string
  readonly name: string
  readonly value: string
  readonly sponsor: string | undefined
}

/** Any ledger entry. */
export type Entry = AccountEntry | TrustlineEntry | OfferEntry | ClaimableEntry | DataEntry

/** The key of an account. */
export const accountKey = (address: string): string => `account ${address}`

/** The key of a trustline. */
export const trustlineKey = (account: string, asset: AssetName): string => `trustline ${account} ${asset}`

/** The key of an offer. */
export const offerKey = (seller: string, offerId: bigint): string => `offer ${seller} ${offerId}`

/** The key of a claimable balance. */
export const claimableKey = (balanceId: string): string => `claimable ${balanceId}`

/** The key of a named value. */
export const dataKey = (account: string, name: string): string => `data ${account} ${name}`

/** The ledger key of an entry. */
export const entryKey = (entry: Entry): string => {
  switch (entry.kind) {
    case 'account':
      return accountKey(entry.address)
    case 'trustline':
      return trustlineKey(entry.account, entry.asset)
    case 'offer':
      return offerKey(entry.seller, entry.offerId)
    case 'claimable':
      return claimableKey(entry.balanceId)
    case 'data':
      return dataKey(entry.account, entry.name)
  }
}

/** Flags of accounts. Source: Stellar-ledger-entries.x. */
export const ACCOUNT_FLAGS = { required: 1, revocable: 2, immutable: 4, clawback: 8 } as const

/** Flags of trustlines. Source: Stellar-ledger-entries.x. */
export const TRUST_FLAGS = { authorized: 1, maintain: 2, clawback: 4 } as const

/** The largest amount of any asset. */
export const MAX_INT64 = 2n ** 63n - 1n
