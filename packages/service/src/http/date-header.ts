const SECOND_MS = 1_000

/**
 * Creates the `date` of answers by the service's clock, which clients compare expiries with: Node would write the machine's, and a
 * sandbox's clock is moved. Written once a second.
 */
export const createDateHeader = (now: () => number): (() => string) => {
  let second = Number.NaN
  let text = ''
  return () => {
    const current = Math.floor(now() / SECOND_MS)
    if (current !== second) {
      second = current
      text = new Date(current * SECOND_MS).toUTCString()
    }
    return text
  }
}
