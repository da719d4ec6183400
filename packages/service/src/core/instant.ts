/** A moment as milliseconds since the Unix epoch. */
export type Instant = number

/** ISO 8601 in UTC with second precision, fractions dropped, e.g. `2026-11-21T07:00:00Z`. */
export const toIso = (instant: Instant): string =>
  `${new Date(instant).toISOString().slice(0, -FRACTION.length)}Z`

const FRACTION = '.000Z'
