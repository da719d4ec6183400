import type { Clock } from '../src/lib/clock.ts'

/** A clock whose two times are one, as they are where nothing moves it. */
export const clockOf = (now: () => number): Clock => ({ now, steady: now })
