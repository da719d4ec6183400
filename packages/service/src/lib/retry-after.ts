const SECONDS = /^\d{1,9}$/

/**
 * The milliseconds that a `Retry-After` header asks to wait, as seconds or as a date, 0 for a past one; undefined for none
 * and for another form. Source: RFC 9110, 10.2.3.
 */
export const retryAfterMs = (header: string | undefined, wallTime: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  if (SECONDS.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallTime)
}
