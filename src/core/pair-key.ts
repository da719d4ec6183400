const MAX_KEPT = 10_000

/** Keys of two parts, joined by a space; the same two parts give the very same text, unless 10,000 others came between. */
export const createPairKeys = (): ((one: string, other: string) => string) => {
  // A text made anew is hashed anew by every map that it is looked up in, so each key is made once.
  const kept = new Map<string, Map<string, string>>()
  let count = 0
  const keep = (one: string, other: string): string => {
    if (count >= MAX_KEPT) {
      kept.clear()
      count = 0
    }
    const key = `${one} ${other}`
    const beside = kept.get(one) ?? new Map<string, string>()
    kept.set(one, beside.set(other, key))
    count += 1
    return key
  }
  return (one, other) => kept.get(one)?.get(other) ?? keep(one, other)
}
