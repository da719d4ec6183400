import assert from 'node:assert/strict'
import { createDice, type Dice } from 'openrfq/test/seeded.ts'

/** Dice that can also pick one of some values. */
export type Picks = {
  readonly below: Dice
  readonly pick: <Value>(values: readonly Value[]) => Value
}

/** Picks over `seeded`: the same seed gives the same picks. */
export const createPicks = (seed: number): Picks => {
  const below = createDice(seed)
  return {
    below,
    pick: (values) => {
      const value = values[below(values.length)]
      assert.ok(value !== undefined)
      return value
    },
  }
}
