/** A bounded memory of what was used lately. */
export type Recent<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly delete: (key: Key) => void
  readonly clear: () => void
}

/**
 * Remembers at least the `capacity / 2` entries used last and never more than `capacity`, in two generations: a full
 * one becomes the old one, and the old one is dropped as a whole. Evicting single entries in order of use costs more,
 * because a Map that is emptied from its front keeps skipping the holes.
 */
export const recent = <Key, Value>(capacity: number): Recent<Key, Value> => {
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  const set = (key: Key, value: Value): void => {
    if (young.size * 2 >= capacity && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    get: (key) => {
      const fresh = young.get(key)
      if (fresh !== undefined) return fresh
      const value = old.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key) => {
      young.delete(key)
      old.delete(key)
    },
    clear: () => {
      young = new Map()
      old = new Map()
    },
  }
}
