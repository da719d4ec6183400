const MAX_KEPT = 10_000

interface Level extends Map<string, string | Level> {}

/**
 * Texts made of a few parts, each made once: the same parts give the very same text, unless 10,000 others came between. A
 * text made anew is hashed anew by every map that it is looked up in, and one joined of many parts is copied part by part
 * by whoever writes it.
 */
export const keepTexts = <Parts extends readonly string[]>(
  make: (...parts: Parts) => string,
): ((...parts: Parts) => string) => {
  const kept: Level = new Map()
  let count = 0
  const keep = (parts: Parts): string => {
    if (count >= MAX_KEPT) {
      kept.clear()
      count = 0
    }
    count += 1
    const text = make(...parts)
    let level = kept
    for (const part of parts.slice(0, -1)) {
      const known = level.get(part)
      const next: Level = typeof known === 'object' ? known : new Map()
      if (next !== known) level.set(part, next)
      level = next
    }
    level.set(parts.at(-1) ?? '', text)
    return text
  }
  return (...parts) => {
    let found: string | Level | undefined = kept
    for (const part of parts) {
      if (typeof found !== 'object') break
      found = found.get(part)
    }
    return typeof found === 'string' ? found : keep(parts)
  }
}
