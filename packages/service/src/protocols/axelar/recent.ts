import type { Instant } from '../../core/instant.ts'

const MAX_ENTRIES = 1_000

type Entry<Value> = { readonly startedAt: Instant; readonly answer: Promise<Value> }

/**
 * Asks at most once per `maxAgeMs` for the same key: callers share an answer that is under way or that young, also a
 * failed one. Keeps at most 1,000 answers.
 */
export const recent = <Value>(
  now: () => Instant,
  maxAgeMs: number,
): ((key: string, ask: () => Promise<Value>) => Promise<Value>) => {
  const entries = new Map<string, Entry<Value>>()
  return (key, ask) => {
    const startedAt = now()
    const known = entries.get(key)
    if (known !== undefined && startedAt - known.startedAt < maxAgeMs) return known.answer
    const answer = ask()
    entries.delete(key)
    entries.set(key, { startedAt, answer })
    const oldest = entries.keys().next()
    if (entries.size > MAX_ENTRIES && oldest.done !== true) entries.delete(oldest.value)
    return answer
  }
}
