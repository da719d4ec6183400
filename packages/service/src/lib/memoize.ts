import { createLru } from './lru.ts'

/**
 * A function that remembers its results for at most `limit` arguments (at least 2), those used last. A result of
 * undefined, and an error, is not remembered.
 */
export const memoize = <Key, Result>(
  limit: number,
  compute: (key: Key) => Result,
): ((key: Key) => Result) => {
  const known = createLru<Key, Result>(limit)
  return (key) => {
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const result = compute(key)
    if (result !== undefined) known.set(key, result)
    return result
  }
}
