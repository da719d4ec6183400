import type { Log } from '../core/log.ts'

/** Work that is repeated, and sooner when something has happened. */
export type Rounds = {
  /** Runs a round now, or right after the one under way. */
  readonly wake: () => void
  readonly start: () => void
  /** Resolves when no round is under way any more. */
  readonly stop: () => Promise<void>
}

type RoundsDeps = {
  readonly name: string
  readonly periodMs: number
  readonly run: () => Promise<void>
  readonly log: Log
}

/** Repeats `run` every `periodMs`, never twice at once; a round that fails is logged when failing begins. */
export const createRounds = ({ name, periodMs, run, log }: RoundsDeps): Rounds => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWoken = false
  let isRunning = false
  let isFailing = false

  const attempt = async (): Promise<void> => {
    try {
      await run()
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
      // A round that fails waits its turn, however often it is woken.
      if (isRunning) timer = setTimeout(next, isWoken && !isFailing ? 0 : periodMs)
    })
  }
  return {
    wake: () => {
      isWoken = true
      if (isRunning && running === undefined) next()
    },
    start: () => {
      if (isRunning) return
      isRunning = true
      next()
    },
    stop: async () => {
      isRunning = false
      clearTimeout(timer)
      await running
    },
  }
}
