const CLOCK = String.raw`\b(?:performance\.now|Date\.now|process\.hrtime(?:\.bigint)?)\(\)`
/** A variable or property that is no CONSTANT. */
const NAME = String.raw`[\w.]*\b[a-z]\w*\b`
const SET = new RegExp(String.raw`\b([a-z]\w*)\b\s*(?::\s*[\w<>]+\s*)?=\s*${CLOCK}`, 'g')
const PAIR_SET = new RegExp(String.raw`\[([\w, ]+)\] = \[([^\]]*${CLOCK}[^\]]*)\]`, 'g')

/** The names that a text gives to readings of a clock. */
const readingsIn = (text: string): ReadonlySet<string> =>
  new Set([
    ...[...text.matchAll(SET)].map(([, name = '']) => name),
    ...[...text.matchAll(PAIR_SET)].flatMap(([, names = '', values = '']) => {
      const readings = values.split(', ').map((value) => new RegExp(CLOCK).test(value))
      return names.split(', ').filter((_, place) => readings[place])
    }),
  ])

/**
 * The subtractions of two readings of a clock in a text, and of a reading and a variable: times that a test measures. In a template
 * string they are only printed.
 */
export const measuredTimes = (source: string): readonly string[] => {
  const text = source.replace(/\$\{[^{}]*\}/g, '')
  const found = [new RegExp(`${CLOCK}\\s*-\\s*${NAME}`, 'g'), new RegExp(`\\s-\\s*${CLOCK}`, 'g')]
  const readings = [...readingsIn(text)].map((name) => `[\\w.]*\\b${name}\\b`).join('|')
  if (readings !== '') found.push(new RegExp(`(?:${readings})\\s*-\\s*(?:${readings})`, 'g'))
  return found.flatMap((pattern) => [...text.matchAll(pattern)].map(([difference]) => difference.trim()))
}
