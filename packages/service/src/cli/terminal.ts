import { styleText } from 'node:util'
import { visibleText } from '../lib/visible-text.ts'

/** The colours by meaning: good, bad, needs attention, secondary, heading, and a QR code. */
export type Tone = 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'code'

/** The output of a command, without the controls that texts of others hold. Results go to standard output; notes and progress to standard error. */
export type Terminal = {
  readonly print: (...lines: readonly string[]) => void
  /** Prints one JSON document on one line of standard output; bigints become decimal text. */
  readonly printJson: (value: unknown) => void
  readonly note: (line: string) => void
  /** Prints a line that the next one replaces; nothing unless standard error is a terminal. */
  readonly progress: (line: string) => void
  /** Whether standard output is a terminal that supports colour. */
  readonly paint: (tone: Tone, text: string) => string
  /** The width of standard output; undefined if it is not a terminal. */
  readonly columns: number | undefined
}

const DEFAULT_COLUMNS = 80
/** Colours of a QR code: light on dark in every colour theme of a terminal. */
const CODE_COLOURS: Parameters<typeof styleText>[0] = ['whiteBright', 'bgBlack']

const ESCAPE = '\u001b'
/** What follows the escapes that `paint` writes; no other ones reach the terminal. */
const PAINTED = /^\[(1|2|22|31|32|33|39|40|49|97)m/

/** A line without controls other than those of `paint`, because parts of it may be texts of endpoints and peers. */
const shown = (line: string): string =>
  line
    .split(ESCAPE)
    .map((part, index) => (index > 0 && PAINTED.test(part) ? ESCAPE : '') + visibleText(part))
    .join('')

/** Creates a terminal over two streams, normally the process's own. */
export const createTerminal = (output: NodeJS.WriteStream, notes: NodeJS.WriteStream): Terminal => {
  let inProgress = false
  const clear = (): void => {
    if (inProgress) notes.write('\r\u001b[K')
    inProgress = false
  }
  return {
    print: (...lines) => {
      clear()
      for (const line of lines) output.write(`${shown(line)}\n`)
    },
    printJson: (value) => {
      clear()
      output.write(`${JSON.stringify(value, bigintAsText)}\n`)
    },
    note: (line) => {
      clear()
      notes.write(`${shown(line)}\n`)
    },
    progress: (line) => {
      if (!notes.isTTY) return
      clear()
      notes.write(shown(line).slice(0, widthOf(notes) - 1))
      inProgress = line !== ''
    },
    paint: (tone, text) =>
      styleText(tone === 'code' ? CODE_COLOURS : tone, visibleText(text), {
        stream: output,
        validateStream: true,
      }),
    columns: output.isTTY ? widthOf(output) : undefined,
  }
}

/** Some terminals report zero columns. */
const widthOf = ({ columns }: NodeJS.WriteStream): number => (columns > 0 ? columns : DEFAULT_COLUMNS)

const bigintAsText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value
