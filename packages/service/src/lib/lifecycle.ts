/** Something that works in the background between `start`, which resolves after the first attempt, and `stop`. */
export type Lifecycle = {
  readonly start: () => Promise<void>
  /** Resolves once no work is under way. */
  readonly stop: () => Promise<void>
}

/** A part whose first attempt nothing waits for. */
export const inBackground = ({
  start,
  stop,
}: {
  readonly start: () => unknown
  readonly stop: Lifecycle['stop']
}): Lifecycle => ({
  start: async () => {
    void start()
  },
  stop,
})

/** The parts as one; they start and stop at the same time. */
export const together = (parts: readonly Lifecycle[]): Lifecycle => ({
  start: async () => {
    await Promise.all(parts.map((part) => part.start()))
  },
  stop: async () => {
    await Promise.all(parts.map((part) => part.stop()))
  },
})

/**
 * Starts one stage after the other; the returned function stops them in reverse order, each even if the one before failed.
 * If a stage does not start, it and those before it are stopped before this rejects.
 */
export const startInOrder = async (stages: readonly Lifecycle[]): Promise<() => Promise<void>> => {
  await using started = new AsyncDisposableStack()
  for (const { start, stop } of stages) {
    started.defer(stop)
    await start()
  }
  const running = started.move()
  return () => running.disposeAsync()
}
