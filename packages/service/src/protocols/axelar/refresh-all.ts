import { mapAtMost } from '../../lib/map-at-most.ts'
import { AxelarError } from './axelar-error.ts'

/** Reads under way at the same time. */
const AT_ONCE = 4

/** Refreshes every item even when some fail; rejects afterwards with the first failure as its cause. */
export const refreshAll = async <Item>(
  items: readonly Item[],
  refresh: (item: Item) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = []
  await mapAtMost(AT_ONCE, items, (item) =>
    refresh(item).catch((error: unknown) => {
      failures.push(error)
    }),
  )
  if (failures.length > 0)
    throw new AxelarError('INCOMPLETE', `${failures.length} of ${items.length} could not be read`, {
      cause: failures[0],
    })
}
