import type { Log } from '../../lib/log.ts'

/** A task that repeats: `periodMs` after a success, `retryMs` after a failure, never overlapping itself. */
export type PeriodicTask = {
  readonly name: string
  readonly periodMs: number
  readonly retryMs: number
  readonly run: () => Promise<void>
  readonly log: Log
}

/** Something that refreshes itself between `start`, which resolves after the first attempt, and `stop`. */
export type Periodic = { readonly start: () => Promise<void>; readonly stop: () => void }

/** Repeats a task in the background. A failing task is logged once when it begins to fail and once when it recovers. */
export const periodic = ({ name, periodMs, retryMs, run, log }: PeriodicTask): Periodic => {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let failing = false
  const attempt = async (): Promise<boolean> => {
    try {
      await run()
      if (failing) log('info', 'refresh recovered', { name })
      failing = false
    } catch (error) {
      if (!failing) log('warn', 'refresh fails', { name, error })
      failing = true
    }
    return !failing
  }
  const round = async (): Promise<void> => {
    const succeeded = await attempt()
    if (!running) return
    timer = setTimeout(() => void round(), succeeded ? periodMs : retryMs)
    timer.unref()
  }
  return {
    start: async () => {
      if (running) return
      running = true
      await round()
    },
    stop: () => {
      running = false
      clearTimeout(timer)
    },
  }
}
