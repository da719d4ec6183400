import { setTimeout as sleep } from 'node:timers/promises'

/** Ends a wait whose condition never holds; generous enough for a busy machine. */
const GIVE_UP_MS = 300_000

/**
 * Polls every 50 milliseconds until the result is neither undefined nor false. Throws Error after five minutes, or `giveUpMs`:
 * `what` did not happen.
 */
export const eventually = async <Value>(
  what: string | (() => string),
  look: () => Value | Promise<Value>,
  everyMs = 50,
  giveUpMs = GIVE_UP_MS,
): Promise<Exclude<Value, undefined | false>> => {
  const giveUpAt = performance.now() + giveUpMs
  for (;;) {
    const seen = await look()
    // CAST: both excluded values are excluded here.
    if (seen !== undefined && seen !== false) return seen as Exclude<Value, undefined | false>
    if (performance.now() > giveUpAt)
      throw new Error(`did not happen: ${typeof what === 'string' ? what : what()}`)
    await sleep(everyMs)
  }
}

/** Polls every ten milliseconds until the condition holds. Throws Error with its text after five minutes. */
export const until = (condition: () => boolean | Promise<boolean>): Promise<true> =>
  eventually(String(condition), condition, 10)
