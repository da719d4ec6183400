/** What a walk of a group gets: waits once for the others, and for what happens when all of them wait or are over. */
export type LastCall = () => Promise<void>

/**
 * Runs walks at the same time. `then` runs once, when no walk has anything left to do before it; walks that called
 * `lastCall` go on after it.
 */
export const createLastCall = (
  walks: number,
  then: () => Promise<void>,
): ((walk: (lastCall: LastCall) => Promise<void>) => Promise<void>) => {
  const called = Promise.withResolvers<void>()
  // A group in which nobody waits has nobody to tell.
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
