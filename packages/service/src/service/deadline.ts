/** Stands for what did not come in time. */
export const TIMED_OUT = Symbol('timed out')

type InTime<Value> = readonly (Value | typeof TIMED_OUT)[]

/**
 * The values of all promises (and of what is no promise), in their order, or `TIMED_OUT` for each that has none after
 * `deadlineMs`; what comes later is dropped. Rejects with the first rejection before that.
 */
export const allWithin = <Value>(
  promises: readonly (Value | Promise<Value>)[],
  deadlineMs: number,
): Promise<InTime<Value>> =>
  new Promise((resolve, reject) => {
    const values: (Value | typeof TIMED_OUT)[] = promises.map(() => TIMED_OUT)
    let missing = promises.length
    const finish = (): void => {
      clearTimeout(timer)
      resolve([...values])
    }
    const timer = setTimeout(finish, deadlineMs)
    const fail = (reason: unknown): void => {
      clearTimeout(timer)
      reject(reason)
    }
    for (const [position, promise] of promises.entries()) {
      Promise.resolve(promise).then((value) => {
        values[position] = value
        missing -= 1
        if (missing === 0) finish()
      }, fail)
    }
    if (missing === 0) finish()
  })
