/** npm repeats the terminal's SIGINT to its script; a person repeats Ctrl-C later than this. */
const REPEATED_WITHIN_MS = 1_000

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP, and `force` at a later SIGINT or SIGTERM, except within a second
 * of the first. SIGHUP means that the parent process is gone, and never forces.
 */
export const onStopSignal = ({
  stop,
  force,
}: {
  readonly stop: (signal: NodeJS.Signals) => void
  readonly force: () => void
}): void => {
  let firstAt: number | undefined
  const take = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      stop(signal)
      return
    }
    if (signal !== 'SIGHUP' && performance.now() - firstAt > REPEATED_WITHIN_MS) force()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, take)
}
