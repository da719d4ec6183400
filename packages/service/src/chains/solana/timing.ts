/** Intervals and deadlines of a Solana chain's client, in milliseconds. */
export type SolanaTiming = {
  /** Between two reads of the head. */
  readonly pollMs: number
  /** Age at which an unconfirmed head becomes stale. */
  readonly staleMs: number
  /** For the head, accounts and outcomes, over all endpoints and round trips. */
  readonly readMs: number
  /** Time after which a read asks the next endpoint too. */
  readonly hurryMs: number
  /** For reading payments, which may take many round trips. */
  readonly paymentsMs: number
  /** How long one call searches for a payment before it leaves the rest to the next call. */
  readonly searchMs: number
  /** First pause of a failed endpoint; doubled with each failure in a row, up to 32 times. */
  readonly asideMs: number
  /** Between two reads of prioritization fees. */
  readonly feeMs: number
  /** How long a recipient's accounts are cached. */
  readonly recipientMs: number
}

/** Suits public endpoints on another continent and slots of 400 milliseconds. */
export const DEFAULT_SOLANA_TIMING: SolanaTiming = {
  pollMs: 800,
  staleMs: 5_000,
  readMs: 5_000,
  hurryMs: 1_500,
  paymentsMs: 15_000,
  searchMs: 7_500,
  asideMs: 1_000,
  feeMs: 10_000,
  recipientMs: 5_000,
}
