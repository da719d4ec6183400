import { stripVTControlCharacters } from 'node:util'

/** A column's heading and alignment. */
export type Column = { readonly title: string; readonly align?: 'left' | 'right' }

const GAP = '  '

/** Formats rows as aligned lines under headings in capitals; colour codes in cells take no width. */
export const table = (columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] =>
  aligned(
    [columns.map(({ title }) => title.toUpperCase()), ...rows],
    columns.map(({ align }) => align ?? 'left'),
  )

/** Formats name and value pairs as aligned lines. */
export const fields = (pairs: readonly (readonly [name: string, value: string])[]): readonly string[] =>
  aligned(pairs, ['left', 'left'])

const aligned = (
  rows: readonly (readonly string[])[],
  sides: readonly ('left' | 'right')[],
): readonly string[] => {
  const widths = sides.map((_, column) => Math.max(0, ...rows.map((row) => widthOf(row[column] ?? ''))))
  return rows.map((row) =>
    sides
      .map((side, column) => pad(row[column] ?? '', widths[column] ?? 0, side))
      .join(GAP)
      .trimEnd(),
  )
}

const pad = (cell: string, width: number, side: 'left' | 'right'): string => {
  const blank = ' '.repeat(Math.max(0, width - widthOf(cell)))
  return side === 'left' ? cell + blank : blank + cell
}

const widthOf = (cell: string): number => [...stripVTControlCharacters(cell)].length
