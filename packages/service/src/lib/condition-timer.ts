/** Measures how long conditions have held without interruption. */
export type ConditionTimer<Key> = {
  /** How long the condition has held, in milliseconds; 0 when it does not hold, which ends the measurement. */
  readonly heldMs: (key: Key, holds: boolean) => number
  /** Drops the conditions of all other keys. */
  readonly keep: (isWanted: (key: Key) => boolean) => void
}

/** Creates a timer; `now` is in milliseconds. The caller bounds the number of keys by `keep`. */
export const createConditionTimer = <Key>(now: () => number): ConditionTimer<Key> => {
  const since = new Map<Key, number>()
  return {
    heldMs: (key, holds) => {
      if (!holds) {
        since.delete(key)
        return 0
      }
      const started = since.get(key) ?? now()
      since.set(key, started)
      return now() - started
    },
    keep: (isWanted) => {
      for (const key of since.keys()) if (!isWanted(key)) since.delete(key)
    },
  }
}
