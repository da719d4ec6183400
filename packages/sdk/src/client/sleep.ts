import { reasonOf } from './deadline.ts'

/** Resolves after the given milliseconds; rejects with the signal's reason when it aborts. */
export const sleep = (durationMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal))
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal === undefined ? undefined : reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, durationMs)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
