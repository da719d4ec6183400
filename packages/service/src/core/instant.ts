import { createLru } from '../lib/lru.ts'

/** A moment as milliseconds since the Unix epoch. */
export type Instant = number

const MAX_KNOWN = 512
/** Cache of recent seconds as text: the same few appear in thousands of answers. */
const known = createLru<number, string>(MAX_KNOWN)

/** ISO 8601 in UTC with second precision, fractions dropped, e.g. `2026-11-21T07:00:00Z`. */
export const toIso = (instant: Instant): string => {
  const second = Math.floor(instant / 1000)
  const found = known.get(second)
  if (found !== undefined) return found
  const text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
  known.set(second, text)
  return text
}
