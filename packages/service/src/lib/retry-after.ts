const SECONDS = /^\d+$/
/** HTTP dates; `Date.parse` takes other texts for dates too, such as negative numbers. */
const HTTP_DATE = /^[a-z]{3,9},? .+$/i

/**
 * The milliseconds that a `Retry-After` header asks to wait, as seconds or as a date, 0 for a past one; undefined for none
 * and for another form. A number too large for milliseconds is Infinity. Source: RFC 9110, 10.2.3.
 */
export const retryAfterMs = (header: string | undefined, wallTime: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  if (SECONDS.test(text)) return Number(text) * 1_000
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallTime)
}
