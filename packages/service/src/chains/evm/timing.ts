/** Intervals and deadlines of an EVM chain's client, in milliseconds. */
export type EvmTiming = {
  /** Between two reads of the head. */
  readonly pollMs: number
  /** Age at which an unconfirmed head becomes stale; as much later as the next read is later than `pollMs`. */
  readonly staleMs: number
  /** Time after which a head that stands still is compared with the other endpoints. */
  readonly standstillMs: number
  /** For contract reads, over all endpoints tried. */
  readonly readMs: number
  /** Time after which a read asks the next endpoint too. */
  readonly hurryMs: number
  /** The same for background reads. */
  readonly patienceMs: number
  /** For an allowance, which a quote waits for. */
  readonly allowanceMs: number
  /** For a head, a receipt or logs, over all endpoints and round trips. */
  readonly observeMs: number
  /** First pause of a failed endpoint; doubled with each failure in a row, up to 32 times. */
  readonly asideMs: number
  /** Between two reads of the suggested tip. */
  readonly tipMs: number
}

/** Suits public endpoints on another continent and chains with blocks of a quarter second. */
export const DEFAULT_EVM_TIMING: EvmTiming = {
  pollMs: 500,
  staleMs: 5_000,
  standstillMs: 15_000,
  readMs: 5_000,
  hurryMs: 350,
  patienceMs: 1_500,
  allowanceMs: 600,
  observeMs: 5_000,
  asideMs: 1_000,
  tipMs: 3_000,
}
