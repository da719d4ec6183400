/** Runs one task after another, each in its turn, whether those before it succeeded or not. */
export const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <Value>(task: () => Promise<Value>): Promise<Value> => {
    const result = last.then(task, task)
    last = result.catch(() => undefined)
    return result
  }
}
