import type { ReadTogether } from '../../lib/kept-warm.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { AxelarError } from './axelar-error.ts'

/** Reads under way at the same time. */
const AT_ONCE = 4

/** Reads each key by itself; rejects with the first failure as its cause when none of several or the only one can be read. */
export const eachRead =
  <Key, Value>(readOne: (key: Key) => Promise<Value>): ReadTogether<Key, Value> =>
  async (keys) => {
    const failures: unknown[] = []
    const values = await mapAtMost(AT_ONCE, keys, (key) =>
      readOne(key).catch((error: unknown) => {
        failures.push(error)
        return undefined
      }),
    )
    if (keys.length > 0 && failures.length === keys.length)
      throw new AxelarError('INCOMPLETE', `none of ${keys.length} could be read`, { cause: failures[0] })
    return values
  }
