/** A map that forgets what was not used for a while once it is full. */
export type BoundedMap<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
}

/**
 * At most `limit` entries in two generations: when the young one holds half the limit, the old one is dropped and an
 * entry survives only by being read. A read costs a map lookup or two, which a list kept in order of use would not.
 */
export const boundedMap = <Key, Value>(limit: number): BoundedMap<Key, Value> => {
  const half = Math.max(1, Math.floor(limit / 2))
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  const set = (key: Key, value: Value): void => {
    if (young.size >= half && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  const get = (key: Key): Value | undefined => {
    const value = young.get(key)
    if (value !== undefined) return value
    const survivor = old.get(key)
    if (survivor !== undefined) set(key, survivor)
    return survivor
  }
  return { get, set }
}
