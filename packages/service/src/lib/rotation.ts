/** Entries by key that are taken in turn, so that a few at a time reach all of them. */
export type Rotation<Key, Value> = {
  readonly has: (key: Key) => boolean
  readonly size: () => number
  /** Adds an entry behind the others; one that is there keeps its turn and value. */
  readonly add: (key: Key, value: Value) => void
  readonly delete: (key: Key) => void
  /** Removes and returns the entry that was added first; undefined if there is none. */
  readonly removeOldest: () => readonly [Key, Value] | undefined
  /** The next entries, at most `count`, each once; after the last the first follows. */
  readonly take: (count: number) => readonly (readonly [Key, Value])[]
}

/** Creates an empty rotation. Each operation takes constant time, `take` per entry. */
export const createRotation = <Key, Value>(): Rotation<Key, Value> => {
  const entries = new Map<Key, Value>()
  // An iterator of a map skips deleted entries and reaches added ones.
  let turn = entries.entries()
  const next = (): readonly [Key, Value] | undefined => {
    const found = turn.next()
    if (found.done !== true) return found.value
    turn = entries.entries()
    return undefined
  }
  return {
    has: (key) => entries.has(key),
    size: () => entries.size,
    add: (key, value) => {
      if (!entries.has(key)) entries.set(key, value)
    },
    delete: (key) => void entries.delete(key),
    removeOldest: () => {
      const oldest = entries.entries().next().value
      if (oldest !== undefined) entries.delete(oldest[0])
      return oldest
    },
    take: (count) => {
      const taken = new Map<Key, Value>()
      const most = Math.min(count, entries.size)
      while (taken.size < most) {
        const entry = next()
        if (entry !== undefined) taken.set(...entry)
      }
      return [...taken]
    },
  }
}
