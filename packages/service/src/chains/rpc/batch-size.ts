import type { Instant } from '../../core/instant.ts'

/** How many calls of a batch an endpoint takes, learnt from its refusals. */
export type BatchSize = {
  readonly current: () => number
  /** Notes that a batch of that many calls was refused. */
  readonly refused: (count: number) => void
  /** Notes that a batch of that many calls was answered. */
  readonly taken: (count: number) => void
}

/** Sizes that providers publish. */
const STEPS = [50, 10, 3, 1] as const
/** Time after which an endpoint may have come to take larger batches. */
const TRY_LARGER_MS = 3_600_000

type Options = { readonly maximum: number; readonly now: () => Instant }

/** Starts with the largest size, steps down at each refusal, and tries the next larger size once an hour. */
export const createBatchSize = ({ maximum, now }: Options): BatchSize => {
  let size = maximum
  let learntAt = now()
  let tried: number | undefined

  const larger = (): number => Math.min(maximum, STEPS.findLast((step) => step > size) ?? maximum)
  return {
    current: () => {
      if (size < maximum && now() - learntAt >= TRY_LARGER_MS) {
        learntAt = now()
        tried = larger()
      }
      return tried ?? size
    },
    refused: (count) => {
      tried = undefined
      learntAt = now()
      size = Math.min(size, STEPS.find((step) => step < count) ?? 1)
    },
    taken: (count) => {
      if (tried === undefined || count <= size) return
      size = tried
      tried = undefined
    },
  }
}
