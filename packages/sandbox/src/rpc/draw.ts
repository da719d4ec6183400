/** A number from 0 up to 1 that depends on whole numbers alone (murmur3's finalizer), so that a run can be repeated. */
export const draw = (...parts: readonly number[]): number => {
  let state = 0x9e3779b9
  for (const part of parts) {
    state = Math.imul(state ^ part, 0x85ebca6b)
    state ^= state >>> 13
    state = Math.imul(state, 0xc2b2ae35)
    state ^= state >>> 16
  }
  return (state >>> 0) / 2 ** 32
}
