/** Limits of one read of a chain's history. */
export type SolanaLimits = {
  /** Signatures per page of an account's history; nodes return at most 1,000. */
  readonly pageSignatures: number
  /** Pages over all accounts; beyond it the read fails. */
  readonly pages: number
  /** Final transactions handed over per read, rounded up to whole slots; the rest follow in the next read. */
  readonly transactions: number
}

/** Two hundred thousand signatures, and a thousand transactions in some forty requests. */
export const DEFAULT_SOLANA_LIMITS: SolanaLimits = { pageSignatures: 1_000, pages: 200, transactions: 1_000 }
