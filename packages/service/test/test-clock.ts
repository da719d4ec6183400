import type { Clock } from '../src/lib/clock.ts'

/** A clock whose two times are equal, as without a clock move. */
export const clockOf = (now: () => number): Clock => ({ now, steady: now })
