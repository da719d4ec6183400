/**
 * The most likely intended candidate for a mistyped word, at most two edits (one for words up to four letters) away.
 */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  const bound = word.length > 4 ? 2 : 1
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word, candidate) }))
    .filter(({ edits }) => edits <= bound)
    .sort((one, other) => one.edits - other.edits)
  return best?.candidate
}

/** Levenshtein distance: the insertions, deletions and replacements that turn one word into the other. */
const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min(
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          (row[column] ?? 0) + (letter === other ? 0 : 1),
        ),
      )
    row = next
  }
  return row[to.length] ?? 0
}
