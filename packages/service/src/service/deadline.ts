import { startDeadline } from '../lib/deadline-timer.ts'

/** Marks a value that did not arrive in time. */
export const TIMED_OUT = Symbol('timed out')

type InTime<Value> = readonly (Value | typeof TIMED_OUT)[]

/**
 * The values of all promises, in order, or `TIMED_OUT` for those not available after `deadlineMs`,
 * which are then ignored. Rejects with the first rejection before that.
 */
export const allWithin = <Value>(
  promises: readonly Promise<Value>[],
  deadlineMs: number,
): Promise<InTime<Value>> =>
  new Promise((resolve, reject) => {
    const values: (Value | typeof TIMED_OUT)[] = promises.map(() => TIMED_OUT)
    let missing = promises.length
    const finish = (): void => {
      cancel()
      resolve([...values])
    }
    const cancel = startDeadline(deadlineMs, finish)
    const fail = (reason: unknown): void => {
      cancel()
      reject(reason)
    }
    for (const [position, promise] of promises.entries()) {
      promise.then((value) => {
        values[position] = value
        missing -= 1
        if (missing === 0) finish()
      }, fail)
    }
    if (missing === 0) finish()
  })
