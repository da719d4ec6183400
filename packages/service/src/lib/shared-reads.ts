import { createTtlCache } from './ttl-cache.ts'

/** Reads a key, or joins its read that began less than `maxAgeMs` ago and did not fail. */
type SharedReads<Key, Value> = (key: Key, read: () => Promise<Value>) => Promise<Value>

type Options = {
  /** The clock, in milliseconds. */
  readonly now: () => number
  readonly maxAgeMs: number
  /** The most reads kept; the least recently used are evicted. */
  readonly limit: number
}

/**
 * Lets callers share reads and their results for a while. All who joined a read that fails get its error; the next caller
 * reads again.
 */
export const createSharedReads = <Key, Value>(options: Options): SharedReads<Key, Value> => {
  const reads = createTtlCache<Key, Promise<Value>>(options)
  return (key, read) => {
    const known = reads.get(key)
    if (known !== undefined) return known
    const started = read()
    reads.set(key, started)
    started.catch(() => {
      if (reads.get(key) === started) reads.delete(key)
    })
    return started
  }
}
