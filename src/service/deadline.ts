/** Marks an answer that did not come in time. */
export const TIMED_OUT = Symbol('timed out')

/** One timer for all that is waited for together. It must be cleared, or it keeps the process alive until it is over. */
export type Deadline = {
  /** The promise's value, or `TIMED_OUT` once the deadline is over; a late value or rejection is dropped. */
  readonly within: <Value>(promise: Promise<Value>) => Promise<Value | typeof TIMED_OUT>
  readonly clear: () => void
}

/** A deadline `deadlineMs` from now. */
export const startDeadline = (deadlineMs: number): Deadline => {
  const { promise: expiry, resolve } = Promise.withResolvers<typeof TIMED_OUT>()
  const timer = setTimeout(resolve, deadlineMs, TIMED_OUT)
  return {
    within: (promise) => Promise.race([promise, expiry]),
    clear: () => clearTimeout(timer),
  }
}
