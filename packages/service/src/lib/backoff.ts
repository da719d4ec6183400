/** The bounds of pauses that double: in milliseconds. */
export type Backoff = { readonly firstMs: number; readonly maximumMs: number }

const MAX_DOUBLINGS = 30

/**
 * Between half of a pause and all of it, in milliseconds: clients that lost the same service do not return at one moment.
 * `random` returns a number from 0 up to 1.
 */
export const withJitter = (pauseMs: number, random: () => number): number => (pauseMs * (1 + random())) / 2

/** The pause before the next attempt in milliseconds: `firstMs` after the first failure in a row, doubled after each further one. */
export const backoffMs = ({ firstMs, maximumMs }: Backoff, failures: number): number =>
  Math.min(maximumMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS))
