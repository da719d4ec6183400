/** How much of a chain's history is read at once. */
export type SolanaLimits = {
  /** Signatures in one page of an account's history; nodes give 1,000 at most. */
  readonly pageSignatures: number
  /** Pages of all accounts together, after which reading is given up. */
  readonly pages: number
  /** Final transactions that are handed over at once, rounded up to whole slots; the others wait for the next time. */
  readonly transactions: number
}

/** Two hundred thousand signatures, and a thousand transactions in some forty requests. */
export const DEFAULT_SOLANA_LIMITS: SolanaLimits = { pageSignatures: 1_000, pages: 200, transactions: 1_000 }
