/** What all keys together may take in each window. */
export type FairShareSize = { readonly most: number; readonly windowMs: number }

/** Takes one for a key; false when the key has had its share of the window. */
export type FairShare = (key: string) => boolean

/** What a key took counts for seven eighths in the next window. */
const REMEMBERED = 7 / 8
/** Then nothing is remembered of any number of takes. */
const MOST_WINDOWS = 64

/**
 * Shares a bounded number of takes per window between keys: a key takes no more than what is still free, less what it took
 * in earlier windows. Of `n` keys that take all they can, in turn, each gets an equal share, and some stays free for a key
 * that comes later; a key that has not taken for long comes before those that always do. A window begins with the first take
 * after the last one ended. `now` in milliseconds.
 */
export const createFairShare = ({ most, windowMs }: FairShareSize, now: () => number): FairShare => {
  const taken = new Map<string, number>()
  let free = most
  let beganAt = Number.NEGATIVE_INFINITY
  const begin = (time: number): void => {
    const windows = time < beganAt ? 1 : Math.min(MOST_WINDOWS, Math.floor((time - beganAt) / windowMs))
    for (const [key, count] of taken) {
      const remembered = Math.floor(count * REMEMBERED ** windows)
      if (remembered === 0) taken.delete(key)
      else taken.set(key, remembered)
    }
    free = most
    beganAt = time
  }
  return (key) => {
    const time = now()
    if (time - beganAt >= windowMs || time < beganAt) begin(time)
    const own = taken.get(key) ?? 0
    if (own >= free) return false
    taken.set(key, own + 1)
    free -= 1
    return true
  }
}
