const MOST_LOCKED_SECONDS = 30 * 24 * 3600

/** How long a deposit may be out of reach of its depositor, in words. */
export const MOST_LOCKED = '30 days'

/** Whether a time, in seconds since 1970, is more than 30 days after `now`, in milliseconds; what is no time is. */
export const isTooFar = (seconds: bigint | number, now: number): boolean =>
  !(Number(seconds) <= now / 1000 + MOST_LOCKED_SECONDS)
