/** A payment to make. */
export type Payout = {
  /** May be muxed on Stellar. */
  readonly recipient: string
  readonly token: string
  readonly amount: bigint
  /** 32 bytes as 0x and lower-case hex, attached so that the payment can be identified. */
  readonly memo: string
  /** The payment must not be able to land after this second; undefined for no limit. */
  readonly notAfterSeconds: number | undefined
  /** A claimable balance of the same token and amount that the payer takes in the same transaction, and pays on. */
  readonly claims?: string
}
