/** Runs one piece of work at a time, in the order of arrival. */
export const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
}
