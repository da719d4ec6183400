/** Repeats a step until it is stopped; two steps never overlap. */
export type Loop = {
  readonly start: () => void
  /** Resolves once no step is under way. */
  readonly stop: () => Promise<void>
  readonly idle: () => Promise<void>
}

type LoopDeps = {
  readonly everyMs: number
  readonly step: () => Promise<void>
  /** A failed step; the next one is `delayMs` away. */
  readonly onError: (error: unknown, delayMs: number) => void
}

const LONGEST_DELAY_MS = 5_000

/** A loop at rest. Failing steps are repeated later and later, up to five seconds apart. */
export const createLoop = ({ everyMs, step, onError }: LoopDeps): Loop => {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let failures = 0
  let current: Promise<void> = Promise.resolve()

  const run = async (): Promise<void> => {
    let delayMs = everyMs
    try {
      await step()
      failures = 0
    } catch (error) {
      failures += 1
      delayMs = Math.min(LONGEST_DELAY_MS, everyMs * 2 ** Math.min(failures, 10))
      onError(error, delayMs)
    }
    if (running) schedule(delayMs)
  }
  const schedule = (delayMs: number): void => {
    timer = setTimeout(() => {
      current = run()
    }, delayMs)
  }
  return {
    start: () => {
      if (running) return
      running = true
      current = run()
    },
    stop: async () => {
      running = false
      clearTimeout(timer)
      await current
    },
    idle: () => current,
  }
}
