/** A process's time, in milliseconds since the Unix epoch. */
export type Clock = {
  /** For times visible outside the process, such as deadlines and expiries. A sandbox's clock can move it ahead. */
  readonly now: () => number
  /** For ages and pauses inside the process. It never decreases and is never moved. */
  readonly steady: () => number
}

const STARTED_AT = performance.timeOrigin

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  steady: () => STARTED_AT + performance.now(),
}
