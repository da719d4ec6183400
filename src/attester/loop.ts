import type { Log } from '../core/log.ts'

/** Work that is repeated until it is stopped. */
export type Loop = {
  readonly start: () => void
  /** Resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>
}

type LoopDeps = {
  readonly name: string
  readonly periodMs: number
  readonly run: () => Promise<unknown>
  readonly log: Log
}

/** Repeats `run` with a pause of `periodMs` after each; failing is logged when it begins and when it ends. */
export const createLoop = ({ name, periodMs, run, log }: LoopDeps): Loop => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
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
    running = attempt().finally(() => {
      if (isRunning) timer = setTimeout(next, periodMs)
    })
  }
  return {
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
