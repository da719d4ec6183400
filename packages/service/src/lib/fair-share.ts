/** What all keys together may take in each window. */
export type FairShareSize = { readonly most: number; readonly windowMs: number }

/** Takes one for a key; false when the key has had its share of the window. */
export type FairShare = (key: string) => boolean

/**
 * Shares a bounded number of takes per window between keys: a key takes no more than what is still free. Of `n` keys that
 * take all they can, each gets `most / (n + 1)`, and as much stays free for a key that comes later. A window begins with
 * the first take after the last one ended. `now` in milliseconds.
 */
export const createFairShare = ({ most, windowMs }: FairShareSize, now: () => number): FairShare => {
  const taken = new Map<string, number>()
  let free = most
  let beganAt = Number.NEGATIVE_INFINITY
  return (key) => {
    const time = now()
    if (time - beganAt >= windowMs || time < beganAt) {
      taken.clear()
      free = most
      beganAt = time
    }
    const own = taken.get(key) ?? 0
    if (own >= free) return false
    taken.set(key, own + 1)
    free -= 1
    return true
  }
}
