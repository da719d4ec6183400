/** Does an item of work in one batch with others; undefined if its batch fails or too many items wait. */
export type BatchedWork<Item, Result> = (item: Item) => Promise<Result | undefined>

type Options<Item, Result> = {
  /** The results of the items, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>
  readonly maximumItems: number
  /** How many batches run at once. */
  readonly maximumBatches: number
  readonly maximumWaiting: number
}

type Waiting<Item, Result> = { readonly item: Item; readonly settle: (result: Result | undefined) => void }

/** Gathers what callers want in one turn of the event loop, and what waits while all batches run, into batches. */
export const createBatches = <Item, Result>({
  run,
  maximumItems,
  maximumBatches,
  maximumWaiting,
}: Options<Item, Result>): BatchedWork<Item, Result> => {
  let waiting: Waiting<Item, Result>[] = []
  let batches = 0

  const runBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    const results = await run(batch.map(({ item }) => item)).catch(() => [])
    for (const [position, { settle }] of batch.entries()) settle(results[position])
  }
  const runWaiting = (): void => {
    while (waiting.length > 0 && batches < maximumBatches) {
      const batch = waiting.slice(0, maximumItems)
      waiting = waiting.slice(maximumItems)
      batches += 1
      void runBatch(batch).finally(() => {
        batches -= 1
        runWaiting()
      })
    }
  }
  return (item) => {
    if (waiting.length >= maximumWaiting) return Promise.resolve(undefined)
    return new Promise((settle) => {
      waiting.push({ item, settle })
      if (waiting.length === 1) setImmediate(runWaiting)
    })
  }
}
