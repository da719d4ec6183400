import { RfqError } from '@openrfq/sdk'

/** The outcome of one item of a batch. */
export type BatchOutcome<Value> = { readonly value: Value } | { readonly error: Error }

/** Collects waiting items into batches. */
export type BatchQueue<Item, Value> = {
  /** Resolves with the item's own outcome. Rejects with RfqError RATE_LIMITED if too many items wait. */
  readonly add: (item: Item) => Promise<Value>
  /** Rejects all waiting and running items, and every later one. */
  readonly fail: (reason: Error) => void
  /** Accepts no more items; resolves when the accepted ones are done. */
  readonly drain: (reason: Error) => Promise<void>
}

type Waiting<Item, Value> = {
  readonly item: Item
  readonly resolve: (value: Value) => void
  readonly reject: (reason: Error) => void
}

type Options<Item, Value> = {
  /** Processes a batch; returns one outcome per item in the same order. A rejection applies to every item. */
  readonly work: (items: readonly Item[]) => Promise<readonly BatchOutcome<Value>[]>
  readonly maximumWaiting: number
  readonly maximumBatch: number
  /** A batch of `size` items starts at once beside others, while fewer than `most` run; by default one runs at a time. */
  readonly sideBySide?: { readonly size: number; readonly most: number }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

const settle = <Item, Value>(
  batch: readonly Waiting<Item, Value>[],
  outcomes: readonly BatchOutcome<Value>[],
): void => {
  for (const [index, entry] of batch.entries()) {
    const outcome = outcomes[index] ?? { error: new Error('the batch answered too few outcomes') }
    if ('error' in outcome) entry.reject(outcome.error)
    else entry.resolve(outcome.value)
  }
}

/**
 * Natural batching: items that arrive while a batch runs form the next one. Without a timer, a single item waits only
 * for the end of its tick, and the cost per item falls with load.
 */
export const batchQueue = <Item, Value>(options: Options<Item, Value>): BatchQueue<Item, Value> => {
  const { size, most } = options.sideBySide ?? { size: Number.POSITIVE_INFINITY, most: 1 }
  let waiting: Waiting<Item, Value>[] = []
  const underWay = new Set<readonly Waiting<Item, Value>[]>()
  let closed: Error | undefined
  let scheduled = false
  let drained: (() => void) | undefined

  const start = (): void => {
    const batch = waiting.slice(0, options.maximumBatch)
    waiting = waiting.slice(options.maximumBatch)
    underWay.add(batch)
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
        underWay.delete(batch)
        startNext()
      })
  }

  const isFull = (): boolean => waiting.length >= size && underWay.size < most

  const startNext = (): void => {
    scheduled = false
    if (isFull() || (waiting.length > 0 && underWay.size === 0)) start()
    else if (underWay.size === 0) drained?.()
  }

  const schedule = (): void => {
    if (scheduled || underWay.size > 0) return
    scheduled = true
    setImmediate(startNext)
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
        if (isFull()) start()
        else schedule()
      }),
    fail: (reason) => {
      closed ??= reason
      const all = [...[...underWay].flat(), ...waiting]
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
