/** Runs work after all earlier work has ended, successfully or not. */
export type Mutex = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Creates a mutex, which runs work sequentially in the order of arrival. */
export const createMutex = (): Mutex => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
