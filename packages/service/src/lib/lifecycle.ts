/** Background work between `start`, which resolves after the first attempt, and `stop`. */
export type Lifecycle = {
  readonly start: () => Promise<void>
  /** Resolves when no work is running. */
  readonly stop: () => Promise<void>
}

/** A part that is started without waiting for its first attempt. */
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

/** Combines parts that start and stop at the same time. */
export const together = (parts: readonly Lifecycle[]): Lifecycle => ({
  start: async () => {
    await Promise.all(parts.map((part) => part.start()))
  },
  stop: async () => {
    await Promise.all(parts.map((part) => part.stop()))
  },
})

/** A part of several owners: it starts with the first of them, and stops when all that started it have stopped. */
export const shared = ({ start, stop }: Lifecycle): Lifecycle => {
  let owners = 0
  let started: Promise<void> | undefined
  return {
    start: () => {
      owners += 1
      started ??= start()
      return started
    },
    stop: async () => {
      owners -= 1
      if (owners > 0) return
      owners = 0
      started = undefined
      await stop()
    },
  }
}

/**
 * Starts stages in order. Returns a function that stops them in reverse order, each even if another failed. When a
 * stage does not start, it and those before it are stopped before this rejects.
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
