import { memoize } from '../lib/memoize.ts'

/** A moment as milliseconds since the Unix epoch. */
export type Instant = number

/** ISO 8601 in UTC with second precision, fractions dropped, e.g. `2026-11-21T07:00:00Z`. */
export const toIso = (instant: Instant): string => isoOfSecond(Math.floor(instant / 1000))

const REMEMBERED_SECONDS = 1_000
const FRACTION = '.000Z'

/** Thousands of answers name the same few seconds. */
const isoOfSecond = memoize(
  REMEMBERED_SECONDS,
  (second: number) => `${new Date(second * 1000).toISOString().slice(0, -FRACTION.length)}Z`,
)
