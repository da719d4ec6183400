import { RfqError } from '@openrfq/sdk'

/** What became of one item of a batch. */
export type BatchOutcome<Value> = { readonly value: Value } | { readonly error: Error }

/** Items that wait together and are worked on together. */
export type BatchQueue<Item, Value> = {
  /** Resolves with the item's own outcome. Rejects with RfqError RATE_LIMITED when too many wait already. */
  readonly add: (item: Item) => Promise<Value>
  /** Rejects whatever waits or is under way, and every later item. */
  readonly fail: (reason: Error) => void
  /** Takes no more items; resolves when those taken are done. */
  readonly drain: (reason: Error) => Promise<void>
}

type Waiting<Item, Value> = {
  readonly item: Item
  readonly resolve: (value: Value) => void
  readonly reject: (reason: Error) => void
}

type Options<Item, Value> = {
  /** Works on a batch; answers one outcome per item in the same order. A rejection counts for every item. */
  readonly work: (items: readonly Item[]) => Promise<readonly BatchOutcome<Value>[]>
  readonly maximumWaiting: number
  readonly maximumBatch: number
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/**
 * Natural batching: one batch is under way, everything that arrives meanwhile is the next one. No timer, so a lone
 * item waits for nothing but the end of its tick, and the more wait, the cheaper each becomes.
 */
export const batchQueue = <Item, Value>(options: Options<Item, Value>): BatchQueue<Item, Value> => {
  let waiting: Waiting<Item, Value>[] = []
  let underWay: readonly Waiting<Item, Value>[] = []
  let closed: Error | undefined
  let scheduled = false
  let drained: (() => void) | undefined

  const settle = (batch: readonly Waiting<Item, Value>[], outcomes: readonly BatchOutcome<Value>[]): void => {
    for (const [index, entry] of batch.entries()) {
      const outcome = outcomes[index] ?? { error: new Error('the batch answered too few outcomes') }
      if ('error' in outcome) entry.reject(outcome.error)
      else entry.resolve(outcome.value)
    }
  }

  const start = (): void => {
    scheduled = false
    if (underWay.length > 0) return
    if (waiting.length === 0) {
      drained?.()
      return
    }
    const batch = waiting.slice(0, options.maximumBatch)
    waiting = waiting.slice(options.maximumBatch)
    underWay = batch
    options
      .work(batch.map((entry) => entry.item))
      .then(
        (outcomes) => settle(batch, outcomes),
        (thrown) =>
          settle(
            batch,
            Array.from(batch, () => ({ error: asError(thrown) })),
          ),
      )
      .finally(() => {
        underWay = []
        start()
      })
  }

  const schedule = (): void => {
    if (scheduled || underWay.length > 0) return
    scheduled = true
    setImmediate(start)
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (closed !== undefined) return reject(closed)
        if (waiting.length >= options.maximumWaiting) {
          return reject(
            new RfqError('RATE_LIMITED', `${waiting.length} writes are waiting already; try again`),
          )
        }
        waiting.push({ item, resolve, reject })
        schedule()
      }),
    fail: (reason) => {
      closed ??= reason
      const all = [...underWay, ...waiting]
      waiting = []
      for (const entry of all) entry.reject(reason)
    },
    drain: (reason) => {
      closed ??= reason
      return new Promise((resolve) => {
        drained = resolve
        schedule()
      })
    },
  }
}
