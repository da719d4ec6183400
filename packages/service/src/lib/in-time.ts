/** The value, or undefined if it takes longer than `deadlineMs`. Rejects as the work does before that. */
export const inTime = <Value>(
  work: Promise<Value | undefined>,
  deadlineMs: number,
): Promise<Value | undefined> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, deadlineMs, undefined)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
