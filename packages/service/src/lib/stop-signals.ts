/** npm sends a script the SIGINT that the terminal has already sent to it; a person repeats Ctrl-C later than this. */
const REPEATED_WITHIN_MS = 1_000

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP, and `force` at a later SIGINT or SIGTERM, but not at one that comes
 * within a second of the first. SIGHUP says that the process that started this one is gone, and never forces anything.
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
