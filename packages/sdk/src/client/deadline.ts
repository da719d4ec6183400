/** The work exceeded its deadline. */
export class DeadlineError extends Error {
  constructor(timeoutMs: number) {
    super(`not done within ${timeoutMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** The longest delay that timers of every browser and of Node support, in milliseconds: about 24.8 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Throws RangeError unless the value is a number of milliseconds that a timer supports. */
export const checkTimeout = (name: string, timeoutMs: number): void => {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS))
    throw new RangeError(`${name} is ${timeoutMs}; expected milliseconds from 1 to ${MAX_TIMER_MS}`)
}

/** A signal's abort reason; browsers before 2022 do not keep it. */
export const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason ?? new DOMException('This operation was aborted', 'AbortError')

/**
 * Runs work with a signal that aborts at the deadline or with the caller's signal. Rejects with DeadlineError or the
 * caller's reason even when the work ignores its signal. `AbortSignal.any` and `timeout` would do the same, but exist
 * in browsers since 2024 only.
 */
export const withDeadline = async <T>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  if (signal?.aborted === true) throw reasonOf(signal)
  const controller = new AbortController()
  let stop = (_: unknown): void => undefined
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      reject(reason)
      controller.abort(reason)
    }
  })
  const onAbort = (): void => stop(signal === undefined ? undefined : reasonOf(signal))
  // A caller without types may pass something that is no signal: nothing may be left running when this throws.
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => stop(new DeadlineError(timeoutMs)), timeoutMs)
  try {
    return await Promise.race([work(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
