/** npm repeats the terminal's SIGINT to its script; a person repeats Ctrl-C later than this. */
const REPEATED_WITHIN_MS = 1_000

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP, and `force` at a later SIGINT or SIGTERM, except within a second
 * of the first by the steady clock, which is in milliseconds. SIGHUP means that the parent process is gone, and never
 * forces.
 */
export const onStopSignal = ({
  stop,
  force,
  steady,
}: {
  readonly stop: (signal: NodeJS.Signals) => void
  readonly force: () => void
  readonly steady: () => number
}): void => {
  let firstAt: number | undefined
  const take = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = steady()
      stop(signal)
      return
    }
    if (signal !== 'SIGHUP' && steady() - firstAt > REPEATED_WITHIN_MS) force()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, take)
}
