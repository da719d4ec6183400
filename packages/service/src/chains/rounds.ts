import type { Log } from '../lib/log.ts'

/** Work that is repeated, and sooner when something has happened. */
export type Rounds = {
  /** Runs a round now, or right after the one under way. */
  readonly wake: () => void
  /** Resolves after the first round. */
  readonly start: () => Promise<void>
  /** Resolves when no round is under way any more. */
  readonly stop: () => Promise<void>
}

type RoundsDeps = {
  readonly name: string
  readonly periodMs: number
  readonly run: () => Promise<unknown>
  readonly log: Log
}

/** Repeats `run`, `periodMs` after each has ended; failing is logged when it begins and when it ends. */
export const createRounds = ({ name, periodMs, run, log }: RoundsDeps): Rounds => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWoken = false
  let isRunning = false
  let isFailing = false

  const attempt = async (): Promise<void> => {
    try {
      await run()
      if (isFailing) log('info', `${name} works again`)
      isFailing = false
    } catch (error) {
      if (!isFailing) log('error', `${name} fails`, { error })
      isFailing = true
    }
  }
  const next = (): void => {
    clearTimeout(timer)
    isWoken = false
    running = attempt().finally(() => {
      running = undefined
      // One that fails is not repeated at once, though it was woken meanwhile.
      if (isRunning) timer = setTimeout(next, isWoken && !isFailing ? 0 : periodMs)
    })
  }
  return {
    wake: () => {
      isWoken = true
      if (isRunning && running === undefined) next()
    },
    start: async () => {
      if (!isRunning) {
        isRunning = true
        next()
      }
      await running
    },
    stop: async () => {
      isRunning = false
      clearTimeout(timer)
      await running
    },
  }
}
