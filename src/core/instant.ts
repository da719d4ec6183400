/** A moment as milliseconds since the Unix epoch. */
export type Instant = number

let cachedSecond = -1
let cachedText = ''

/** ISO 8601 in UTC with second precision, fractions dropped, e.g. `2026-11-21T07:00:00Z`. */
export const toIso = (instant: Instant): string => {
  const second = Math.floor(instant / 1000)
  if (second !== cachedSecond) {
    cachedSecond = second
    cachedText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
  }
  return cachedText
}
