/** Intervals and deadlines of a Stellar network's client, in milliseconds. */
export type StellarTiming = {
  /** Between two reads of the newest ledger. */
  readonly pollMs: number
  /** Age at which an unconfirmed head becomes stale. */
  readonly staleMs: number
  /** Between two reads of fee statistics. */
  readonly feeMs: number
  /** For the head, and for account reads that a quote may wait for; over all endpoints. */
  readonly readMs: number
  /** Time after which a read asks the next endpoint too. */
  readonly hurryMs: number
  /** How long a recipient's account is cached. */
  readonly accountMs: number
  /** For all payments since a ledger, with their memos, over all endpoints and pages. */
  readonly paymentsMs: number
  /** How long one call searches for a payment before it leaves the rest to the next call. */
  readonly searchMs: number
  /** For submitting a transaction or reading its outcome. */
  readonly transactionMs: number
  /** First pause of a failed endpoint; doubled with each failure in a row, up to 32 times. */
  readonly asideMs: number
}

/** Suits public endpoints and a network that closes a ledger every five seconds. */
export const DEFAULT_STELLAR_TIMING: StellarTiming = {
  pollMs: 1_000,
  staleMs: 5_000,
  feeMs: 5_000,
  readMs: 5_000,
  hurryMs: 750,
  accountMs: 5_000,
  paymentsMs: 15_000,
  searchMs: 7_500,
  transactionMs: 5_000,
  asideMs: 1_000,
}
