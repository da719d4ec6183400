import type { ChainId } from '@openrfq/sdk'

/** Value that moved from one account to another. Addresses are canonical text, the token is the catalogue's identifier. */
export type Payment = {
  readonly chainId: ChainId
  readonly txHash: string
  /** Tells the payments of one transaction apart; stable. */
  readonly position: number
  readonly blockNumber: bigint
  /** Of the slot or ledger, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  /** Who paid: the owner of the account that was debited. */
  readonly from: string
  /** Who was paid: the owner of the account that was credited; on Stellar without a muxed id. */
  readonly to: string
  /** The muxed id that the payment names; undefined without one. */
  readonly muxedId: bigint | undefined
  readonly token: string
  /** Base units that really arrived. */
  readonly amount: bigint
  /** A memo's text; 32 bytes as 0x and lower-case hex; undefined without one. */
  readonly memo: string | undefined
}
