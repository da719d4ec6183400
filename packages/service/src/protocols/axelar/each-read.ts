import type { ReadTogether } from '../../lib/kept-warm.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { AxelarError } from './axelar-error.ts'

/** Reads under way at the same time. */
const AT_ONCE = 4

/**
 * Reads each key in a request of its own; undefined for a key that is refused or whose read fails. Rejects with the first
 * failure as its cause when no read succeeds and not all are refused.
 */
export const eachRead =
  <Key, Value>(readOne: (key: Key) => Promise<Value>): ReadTogether<Key, Value> =>
  async (keys) => {
    const failures: unknown[] = []
    let refused = 0
    const values = await mapAtMost(AT_ONCE, keys, (key) =>
      readOne(key).catch((error: unknown) => {
        if (error instanceof AxelarError && error.code === 'REFUSED') refused += 1
        else failures.push(error)
        return undefined
      }),
    )
    if (failures.length > 0 && failures.length + refused === keys.length)
      throw new AxelarError('INCOMPLETE', `none of ${keys.length} could be read`, { cause: failures[0] })
    return values
  }
