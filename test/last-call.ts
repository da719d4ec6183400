/** Handed to each walk of a group: waits until all others have called it or ended, and until `then` has run. */
export type LastCall = () => Promise<void>

/**
 * Runs walks concurrently. `then` runs once, when every walk has ended or called `lastCall`; those walks continue
 * afterwards.
 */
export const createLastCall = (
  walks: number,
  then: () => Promise<void>,
): ((walk: (lastCall: LastCall) => Promise<void>) => Promise<void>) => {
  const called = Promise.withResolvers<void>()
  // Without a waiting caller, `then` is not needed.
  called.promise.catch(() => undefined)
  let before = walks
  return async (walk) => {
    let isBefore = true
    const leave = (): void => {
      if (!isBefore) return
      isBefore = false
      before -= 1
      if (before === 0) then().then(called.resolve, called.reject)
    }
    try {
      await walk(() => {
        leave()
        return called.promise
      })
    } finally {
      leave()
    }
  }
}
