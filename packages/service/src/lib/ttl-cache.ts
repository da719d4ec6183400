import { createLru } from './lru.ts'

/** Values that expire; reading an expired value is a miss. */
export type TtlCache<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly delete: (key: Key) => void
}

type Options = {
  /** The clock, in milliseconds. */
  readonly now: () => number
  readonly maxAgeMs: number
  /** The most entries kept, 10,000 by default; the least recently used are evicted. */
  readonly limit?: number
}

const DEFAULT_LIMIT = 10_000

/** Creates a cache whose values expire `maxAgeMs` after they were set. */
export const createTtlCache = <Key, Value>({
  now,
  maxAgeMs,
  limit = DEFAULT_LIMIT,
}: Options): TtlCache<Key, Value> => {
  const entries = createLru<Key, { readonly value: Value; readonly setAt: number }>(limit)
  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry !== undefined && now() - entry.setAt < maxAgeMs ? entry.value : undefined
    },
    set: (key, value) => {
      entries.set(key, { value, setAt: now() })
    },
    delete: (key) => {
      entries.delete(key)
    },
  }
}
