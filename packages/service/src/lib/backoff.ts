/** The bounds of pauses that double: in milliseconds. */
export type Backoff = { readonly firstMs: number; readonly maximumMs: number }

const MAX_DOUBLINGS = 30

/** The pause before the next attempt in milliseconds: `firstMs` after the first failure in a row, doubled after each further one. */
export const backoffMs = ({ firstMs, maximumMs }: Backoff, failures: number): number =>
  Math.min(maximumMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS))
