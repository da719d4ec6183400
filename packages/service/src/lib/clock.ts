/** The time that a process goes by, in milliseconds since the Unix epoch. */
export type Clock = {
  /** For what others see too, such as deadlines and expiries. The clock of a sandbox can move it ahead. */
  readonly now: () => number
  /** For ages and pauses inside the process. It never goes back, and nothing moves it. */
  readonly steady: () => number
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  steady: () => performance.timeOrigin + performance.now(),
}
