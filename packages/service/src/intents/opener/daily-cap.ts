import type { Instant } from '../../core/instant.ts'

/** Bounds the openings on one chain, and what they cost in wei, in any 24 hours of a process. */
export type DailyCap = {
  /** Milliseconds until one of this cost has room; 0 if it has now, undefined if it never has. */
  readonly waitMs: (cost: bigint) => number | undefined
  /** Counts one; what it returns takes it back, for one that was not signed after all. */
  readonly add: (cost: bigint) => () => void
}

type Bounds = { readonly orders: number; readonly cost: bigint }

const DAY_MS = 86_400_000

/** Creates the cap; it remembers each opening of the last 24 hours, `bounds.orders` at most. */
export const createDailyCap = (bounds: Bounds, now: () => Instant): DailyCap => {
  let spent: readonly { readonly at: Instant; readonly cost: bigint }[] = []
  let total = 0n
  const forgetOld = (): void => {
    const since = now() - DAY_MS
    spent = spent.filter(({ at }) => at > since)
    total = spent.reduce((sum, { cost }) => sum + cost, 0n)
  }
  return {
    waitMs: (cost) => {
      if (cost > bounds.cost) return undefined
      forgetOld()
      let [orders, left] = [spent.length, total]
      if (orders < bounds.orders && left + cost <= bounds.cost) return 0
      for (const { at, cost: freed } of spent) {
        orders -= 1
        left -= freed
        if (orders < bounds.orders && left + cost <= bounds.cost) return at + DAY_MS - now()
      }
      return undefined
    },
    add: (cost) => {
      const added = { at: now(), cost }
      spent = [...spent, added]
      total += cost
      return () => {
        spent = spent.filter((one) => one !== added)
        forgetOld()
      }
    },
  }
}
