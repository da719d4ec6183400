/** Reads under way at the same time. */
const PARALLEL = 4

/** Refreshes every item even when some fail; rejects afterwards with the first failure as its cause. */
export const refreshAll = async <Item>(
  items: readonly Item[],
  refresh: (item: Item) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = []
  for (let first = 0; first < items.length; first += PARALLEL) {
    const results = await Promise.allSettled(items.slice(first, first + PARALLEL).map(refresh))
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason)
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${items.length} could not be read`, { cause: failures[0] })
}
