/** How long the client of a Stellar network waits, in milliseconds. */
export type StellarTiming = {
  /** Between two looks at the newest ledger. */
  readonly pollMs: number
  /** After which a head that was not seen again counts for nothing. */
  readonly staleMs: number
  /** Between two readings of what transactions pay. */
  readonly feeMs: number
  /** For the head, and for reads of accounts, which a quote may wait for; over all endpoints. */
  readonly readMs: number
  /** How long what was read of a recipient's account may be used again. */
  readonly accountMs: number
  /** For all payments since a ledger, with their memos, over all endpoints and pages. */
  readonly paymentsMs: number
  /** For handing over a transaction, or asking what became of one. */
  readonly transactionMs: number
  /** How long an endpoint that failed is put aside at first; doubled each time in a row, at most thirty-two times that. */
  readonly asideMs: number
}

/** Fits public endpoints and a network that closes a ledger every five seconds. */
export const DEFAULT_STELLAR_TIMING: StellarTiming = {
  pollMs: 1_000,
  staleMs: 15_000,
  feeMs: 5_000,
  readMs: 1_500,
  accountMs: 5_000,
  paymentsMs: 15_000,
  transactionMs: 5_000,
  asideMs: 1_000,
}
