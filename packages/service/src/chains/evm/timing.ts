/** How long the client of an EVM chain waits, in milliseconds. */
export type EvmTiming = {
  /** Between two looks at the head. */
  readonly pollMs: number
  /** After which a head that was not seen again prices nothing. */
  readonly staleMs: number
  /** For contract reads, over all endpoints that are tried. */
  readonly readMs: number
  /** For an allowance, which a quote waits for. */
  readonly allowanceMs: number
  /** For a head, a receipt or logs, over all endpoints and round trips. */
  readonly observeMs: number
  /** How long an endpoint that failed is put aside at first; doubled each time in a row, at most thirty-two times that. */
  readonly asideMs: number
  /** Between two readings of the suggested tip. */
  readonly tipMs: number
}

/** Fits public endpoints on the other side of the world and chains with blocks of a quarter second. */
export const DEFAULT_EVM_TIMING: EvmTiming = {
  pollMs: 500,
  staleMs: 15_000,
  readMs: 700,
  allowanceMs: 300,
  observeMs: 2_000,
  asideMs: 1_000,
  tipMs: 3_000,
}
