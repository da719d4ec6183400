/** Reads a key, or joins its read that began less than `maxAgeMs` ago and did not fail. */
type SharedReads<Key, Value> = (key: Key, read: () => Promise<Value>) => Promise<Value>

type Options = {
  /** The clock, in milliseconds. */
  readonly now: () => number
  readonly maxAgeMs: number
  /** The most reads kept; those that began first are evicted. */
  readonly limit: number
}

type Started<Value> = { readonly reading: Promise<Value>; readonly at: number }

/**
 * Lets callers share reads and their results for a while. All who joined a read that fails get its error; the next caller
 * reads again. The next read frees results that are too old, since others decide how large they are.
 */
export const createSharedReads = <Key, Value>({ now, maxAgeMs, limit }: Options): SharedReads<Key, Value> => {
  /** In the order in which they began. */
  const reads = new Map<Key, Started<Value>>()
  const isFresh = ({ at }: Started<Value>): boolean => now() - at < maxAgeMs
  const forgetOld = (): void => {
    for (const [key, started] of reads) {
      if (isFresh(started) && reads.size < limit) return
      reads.delete(key)
    }
  }
  return (key, read) => {
    const known = reads.get(key)
    if (known !== undefined && isFresh(known)) return known.reading
    const reading = read()
    reads.delete(key)
    forgetOld()
    reads.set(key, { reading, at: now() })
    reading.catch(() => {
      if (reads.get(key)?.reading === reading) reads.delete(key)
    })
    return reading
  }
}
