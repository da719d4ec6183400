/** Which things a condition holds for, so that its begin and its end are each told once. */
export type Conditions<Key> = {
  /** Notes that the condition holds; whether it did not before. */
  readonly begin: (key: Key) => boolean
  /** Notes that it does not; whether it did before. */
  readonly end: (key: Key) => boolean
}

/** Creates the record of a condition that holds for nothing yet. It keeps a key for as long as the condition holds. */
export const createConditions = <Key>(): Conditions<Key> => {
  const keys = new Set<Key>()
  return {
    begin: (key) => {
      const isNew = !keys.has(key)
      keys.add(key)
      return isNew
    },
    end: (key) => keys.delete(key),
  }
}
