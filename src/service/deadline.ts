/** Marks an answer that did not come in time. */
export const TIMED_OUT = Symbol('timed out')

/** The promise's value, or `TIMED_OUT` after `deadlineMs`; a late value or rejection is dropped. */
export const within = async <Value>(
  promise: Promise<Value>,
  deadlineMs: number,
): Promise<Value | typeof TIMED_OUT> => {
  let timer: NodeJS.Timeout | undefined
  const expiry = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, TIMED_OUT)
  })
  try {
    return await Promise.race([promise, expiry])
  } finally {
    clearTimeout(timer)
  }
}
