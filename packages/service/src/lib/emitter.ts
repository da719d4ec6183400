/** Passes events to listeners. */
export type Emitter<Event> = {
  /** Adds a listener; returns the function that removes it. */
  readonly on: (listener: (event: Event) => unknown) => () => void
  readonly hasListeners: () => boolean
  /** Calls every listener at once. */
  readonly emit: (event: Event) => void
  /** Calls the listeners sequentially, each after the previous one has settled. */
  readonly emitInTurn: (event: Event) => Promise<void>
}

/** Creates an emitter without listeners. A listener's error is passed to `onError` and does not affect the others. */
export const createEmitter = <Event>(onError: (error: unknown, event: Event) => void): Emitter<Event> => {
  const listeners = new Set<(event: Event) => unknown>()
  const call = (listener: (event: Event) => unknown, event: Event): Promise<void> | undefined => {
    if (!listeners.has(listener)) return undefined
    try {
      const called = listener(event)
      return called instanceof Promise ? called.catch((error) => onError(error, event)) : undefined
    } catch (error) {
      onError(error, event)
      return undefined
    }
  }
  return {
    on: (listener) => {
      // Wrapped, so that a listener added twice is called twice and each removal removes one.
      const added = (event: Event): unknown => listener(event)
      listeners.add(added)
      return () => {
        listeners.delete(added)
      }
    },
    hasListeners: () => listeners.size > 0,
    emit: (event) => {
      for (const listener of [...listeners]) void call(listener, event)
    },
    emitInTurn: async (event) => {
      for (const listener of [...listeners]) await call(listener, event)
    },
  }
}
