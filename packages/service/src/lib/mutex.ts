/** Runs a piece of work once all work that arrived before it has ended, whether that failed or not. */
export type Mutex = <Value>(work: () => Promise<Value>) => Promise<Value>

/** A mutex: runs one piece of work at a time, in the order of arrival. */
export const createMutex = (): Mutex => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
