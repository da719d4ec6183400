/** A small generator of numbers from 0 up to 1 (mulberry32); the same seed gives the same numbers. */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws a whole number from 0 up to `below`. */
export type Dice = (below: number) => number

/** Dice over `seeded`: the same seed gives the same draws. */
export const createDice = (seed: number): Dice => {
  const random = seeded(seed)
  return (below) => Math.floor(random() * below)
}
