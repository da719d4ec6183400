/**
 * Maps items by asynchronous work with limited concurrency, started in order. Resolves to the results in the items'
 * order. After a rejection no further item is started, and the first rejection rejects the whole.
 */
export const mapAtMost = async <Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = []
  const waiting = [...items.entries()].reverse()
  const workOn = async (): Promise<void> => {
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const [index, item] = entry
      results[index] = await work(item)
    }
  }
  const stop = (error: unknown): never => {
    waiting.length = 0
    throw error
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, () => workOn().catch(stop)))
  return results
}
