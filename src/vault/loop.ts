/** Does work that never rejects again and again, with a pause between, until it is stopped; `stop` waits for its end. */
export const createLoop = (work: () => Promise<void>, pauseMs: number) => {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let running = Promise.resolve()
  const next = (): Promise<void> => {
    running = work().finally(() => {
      if (isRunning) timer = setTimeout(next, pauseMs)
    })
    return running
  }
  return {
    start: (): Promise<void> => {
      if (isRunning) return running
      isRunning = true
      return next()
    },
    stop: async (): Promise<void> => {
      isRunning = false
      clearTimeout(timer)
      await running
    },
  }
}
