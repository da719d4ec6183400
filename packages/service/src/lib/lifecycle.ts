/** Something that works in the background between `start`, which resolves after the first attempt, and `stop`. */
export type Lifecycle = {
  readonly start: () => Promise<void>
  /** Resolves once no work is under way. */
  readonly stop: () => Promise<void>
}

/** The parts as one; they start and stop at the same time. */
export const together = (parts: readonly Lifecycle[]): Lifecycle => ({
  start: async () => {
    await Promise.all(parts.map((part) => part.start()))
  },
  stop: async () => {
    await Promise.all(parts.map((part) => part.stop()))
  },
})
