import { createLru } from './lru.ts'

/** Values that expire; reading an expired value is a miss. */
export type TtlCache<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly delete: (key: Key) => void
  /** The cached value, or the one that `make` returns, which is cached then. A cached promise shares its outcome. */
  readonly getOrSet: (key: Key, make: () => Value) => Value
}

type Options = {
  /** The clock, in milliseconds. */
  readonly now: () => number
  readonly maxAgeMs: number
  /** The number of entries kept at most, 10,000 by default; the least recently used are evicted. */
  readonly limit?: number
}

const DEFAULT_LIMIT = 10_000

/** A cache whose values expire `maxAgeMs` after they were set. */
export const createTtlCache = <Key, Value>({
  now,
  maxAgeMs,
  limit = DEFAULT_LIMIT,
}: Options): TtlCache<Key, Value> => {
  const entries = createLru<Key, { readonly value: Value; readonly setAt: number }>(limit)
  const find = (key: Key): { readonly value: Value } | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && now() - entry.setAt < maxAgeMs ? entry : undefined
  }
  const set = (key: Key, value: Value): void => {
    entries.set(key, { value, setAt: now() })
  }
  return {
    get: (key) => find(key)?.value,
    set,
    delete: (key) => {
      entries.delete(key)
    },
    getOrSet: (key, make) => {
      const found = find(key)
      if (found !== undefined) return found.value
      const value = make()
      set(key, value)
      return value
    },
  }
}
