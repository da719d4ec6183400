const NEVER = new Promise<never>(() => undefined)

/** The number of awaits left before the process is killed. */
export type Life = { left: number; readonly end: () => void; readonly over: Promise<void> }

/** A life that ends at one of its next awaits. */
export const startLife = (left: number): Life => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  return { left, end, over }
}

/**
 * Wraps an object for a process that is killed before or after one of its awaits: from then on no call settles.
 */
export const crashable = <Methods extends object>(
  methods: Methods,
  life: Life,
  random: () => number,
  immediate: readonly string[] = [],
): Methods =>
  new Proxy(methods, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || immediate.includes(String(name))) return method
      return async (...args: unknown[]) => {
        if (life.left <= 0) return NEVER
        life.left -= 1
        const dies = life.left === 0
        if (dies && random() < 0.5) {
          life.end()
          return NEVER
        }
        const answer = await Promise.resolve(Reflect.apply(method, target, args)).then(
          (value: unknown) => () => value,
          (error: unknown) => () => Promise.reject(error),
        )
        if (dies || life.left <= 0) {
          life.end()
          return NEVER
        }
        return answer()
      }
    },
  })
