import QuickLRU from 'quick-lru'

/** A bounded map that evicts the least recently used entries. */
export type Lru<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly delete: (key: Key) => void
  readonly clear: () => void
}

/** Creates a map of at most `limit` entries (at least 2) that keeps at least the `limit / 2` used last. */
export const createLru = <Key, Value>(limit: number): Lru<Key, Value> => {
  // quick-lru keeps two generations of `maxSize` entries each.
  const entries = new QuickLRU<Key, Value>({ maxSize: Math.max(1, Math.floor(limit / 2)) })
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.set(key, value)
    },
    delete: (key) => {
      entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
