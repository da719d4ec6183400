import { startDeadline } from './deadline-timer.ts'

/** The value, or undefined if it takes longer than `deadlineMs`. Rejects as the work does before that. */
export const inTime = <Value>(
  work: Promise<Value | undefined>,
  deadlineMs: number,
): Promise<Value | undefined> =>
  new Promise((resolve, reject) => {
    const cancel = startDeadline(deadlineMs, () => resolve(undefined))
    work.then(resolve, reject).finally(cancel)
  })
