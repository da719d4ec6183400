import type { Instant } from '../../core/instant.ts'

/** Values that count only while they are young; the newest per key is kept. */
export type FreshMap<Value> = {
  /** The value read at most `maxAgeMs` ago, or undefined. */
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
}

/** An empty map whose values grow stale `maxAgeMs` after they were set. Its keys are those of the configuration. */
export const createFreshMap = <Value>(now: () => Instant, maxAgeMs: number): FreshMap<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly readAt: Instant }>()
  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry !== undefined && now() - entry.readAt <= maxAgeMs ? entry.value : undefined
    },
    set: (key, value) => {
      entries.set(key, { value, readAt: now() })
    },
  }
}
