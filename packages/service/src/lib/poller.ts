import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'

/** Work that is repeated in rounds without overlap. */
export type Poller = Lifecycle & {
  /** Runs a round now, or right after the running one. A failed round is not followed at once. */
  readonly wake: () => void
  /** Whether the last round failed. */
  readonly isFailing: () => boolean
}

type PollerOptions = {
  readonly run: () => Promise<unknown>
  /** Pause after a successful round, in milliseconds; a function is called after each. */
  readonly periodMs: number | (() => number)
  /** Pause after a number of failures in a row, in milliseconds; `periodMs` by default. */
  readonly retryMs?: (failures: number) => number
  /** Prefix of the events `<name>_failed` and `<name>_recovered`; snake_case. */
  readonly name: string
  /** Receives a line when rounds begin to fail and one when they recover; omitted when `run` logs itself. */
  readonly log?: Log
  /** Level of the failure's line; `error` by default. */
  readonly failureLevel?: 'warn' | 'error'
  /** Further fields of those lines. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Creates a poller without starting it. It repeats `run` from `start` to `stop`, pausing after each round. */
export const createPoller = (options: PollerOptions): Poller => {
  const { run, name, log, failureLevel = 'error', fields = {} } = options
  const periodMs = (): number =>
    typeof options.periodMs === 'number' ? options.periodMs : options.periodMs()
  const { retryMs = periodMs } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isRunning = false
  let isStarted = false
  let isWoken = false
  let failures = 0

  const attempt = async (): Promise<void> => {
    try {
      await run()
      if (failures > 0) log?.('info', `${name}_recovered`, fields)
      failures = 0
    } catch (error) {
      // A failure caused by stopping is not logged.
      if (failures === 0 && isStarted) log?.(failureLevel, `${name}_failed`, { ...fields, error })
      failures += 1
    }
  }
  const pauseMs = (): number => {
    if (failures > 0) return retryMs(failures)
    return isWoken ? 0 : periodMs()
  }
  const next = (): void => {
    clearTimeout(timer)
    isWoken = false
    isRunning = true
    running = attempt().finally(() => {
      isRunning = false
      if (isStarted) timer = setTimeout(next, pauseMs())
    })
  }
  return {
    wake: () => {
      isWoken = true
      if (isStarted && !isRunning) next()
    },
    start: async () => {
      if (!isStarted) {
        isStarted = true
        if (!isRunning) next()
      }
      await running
    },
    stop: async () => {
      isStarted = false
      clearTimeout(timer)
      await running
    },
    isFailing: () => failures > 0,
  }
}
