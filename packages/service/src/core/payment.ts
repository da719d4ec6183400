import type { ChainId } from '@openrfq/sdk'

/** Value moved from one account to another. Addresses are canonical; the token is the catalogue's identifier. */
export type Payment = {
  readonly chainId: ChainId
  readonly txHash: string
  /** Stable index that distinguishes the payments of one transaction. */
  readonly position: number
  readonly blockNumber: bigint
  /** The slot's or ledger's time, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  /** The owner of the debited account. */
  readonly from: string
  /** The owner of the credited account; on Stellar without a muxed id. */
  readonly to: string
  /** The payment's muxed id; undefined without one. */
  readonly muxedId: bigint | undefined
  readonly token: string
  /** Base units received. */
  readonly amount: bigint
  /** The memo as text; 32 bytes as 0x and lower-case hex; undefined without one. */
  readonly memo: string | undefined
}
