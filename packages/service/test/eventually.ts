import { setTimeout as sleep } from 'node:timers/promises'

/** Ends a wait that would never end; no machine is so busy that what comes at all comes later. */
const GIVE_UP_MS = 180_000

/**
 * Looks every 50 milliseconds until there is something to see: anything but undefined and false. Throws Error after
 * three minutes, with `what` did not happen.
 */
export const eventually = async <Value>(
  what: string | (() => string),
  look: () => Value | Promise<Value>,
  everyMs = 50,
): Promise<Exclude<Value, undefined | false>> => {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const seen = await look()
    // CAST: both excluded values are excluded here.
    if (seen !== undefined && seen !== false) return seen as Exclude<Value, undefined | false>
    if (performance.now() > giveUpAt)
      throw new Error(`did not happen: ${typeof what === 'string' ? what : what()}`)
    await sleep(everyMs)
  }
}

/** Waits until the condition holds, asking every ten milliseconds. Throws Error with its text after three minutes. */
export const until = (condition: () => boolean | Promise<boolean>): Promise<true> =>
  eventually(String(condition), condition, 10)
