/** Starts the work for a key, or joins the key's running work. */
export type SharedWork<Key, Value> = (key: Key, work: () => Promise<Value>) => Promise<Value>

/** Lets concurrent callers with the same key share one piece of work and its outcome. */
export const shareInFlight = <Key, Value>(): SharedWork<Key, Value> => {
  const running = new Map<Key, Promise<Value>>()
  return (key, work) => {
    const shared = running.get(key)
    if (shared !== undefined) return shared
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
