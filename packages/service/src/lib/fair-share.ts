/** What all keys together may take in each window. */
export type FairShareSize = { readonly most: number; readonly windowMs: number }

/** Takes one for a key; false when the key has had its share of the window. */
export type FairShare = (key: string) => boolean

/** What a key took counts for seven eighths in the next window, and is forgotten after about 18. */
const REMEMBERED = 7 / 8
const FORGOTTEN = 0.1
/** A key that was refused counts as one that took one; of so many at most. */
const MOST_REMEMBERED = 20_000
/** The part of each window that is left to keys that are not remembered. */
const FOR_OTHERS = 1 / 8
/** Then nothing is remembered of any number of takes. */
const MOST_WINDOWS = 64

/**
 * Shares a bounded number of takes per window between keys: a key takes no more than what is still free, less what it took
 * in earlier windows. Of `n` keys that take all they can, in turn, each gets an equal share, and some stays free for a key
 * that comes later; an eighth of each window is left to keys that have not taken for long, so that any number of keys that
 * always come leave some to others. A window begins with the first take
 * after the last one ended. `now` in milliseconds.
 */
export const createFairShare = ({ most, windowMs }: FairShareSize, now: () => number): FairShare => {
  const taken = new Map<string, number>()
  /** The keys that took in earlier windows. */
  let known: ReadonlySet<string> = new Set()
  let free = most
  let beganAt = Number.NEGATIVE_INFINITY
  const begin = (time: number): void => {
    const windows = time < beganAt ? 1 : Math.min(MOST_WINDOWS, Math.floor((time - beganAt) / windowMs))
    for (const [key, count] of taken) {
      const remembered = count * REMEMBERED ** windows
      if (remembered < FORGOTTEN) taken.delete(key)
      else taken.set(key, remembered)
    }
    known = new Set(taken.keys())
    free = most
    beganAt = time
  }
  return (key) => {
    const time = now()
    if (time - beganAt >= windowMs || time < beganAt) begin(time)
    const own = taken.get(key) ?? 0
    const allowed = known.has(key) ? free - most * FOR_OTHERS : free
    if (own >= allowed) {
      if (own < 1 && (own > 0 || taken.size < MOST_REMEMBERED)) taken.set(key, 1)
      return false
    }
    taken.set(key, own + 1)
    free -= 1
    return true
  }
}
