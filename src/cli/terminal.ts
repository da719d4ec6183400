import { styleText } from 'node:util'

/** The colours in use and what they mean: good, bad, needs attention, secondary. */
export type Tone = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

/** Where a command writes. Results go to standard output; notes and progress to standard error. */
export type Terminal = {
  readonly print: (...lines: readonly string[]) => void
  /** One JSON document on one line of standard output; bigints become decimal text. */
  readonly printJson: (value: unknown) => void
  readonly note: (line: string) => void
  /** Shows a line that the next one replaces; shows nothing unless standard error is a terminal. */
  readonly progress: (line: string) => void
  /** Coloured when standard output is a terminal that wants colour. */
  readonly paint: (tone: Tone, text: string) => string
}

const DEFAULT_COLUMNS = 80

/** A terminal over two streams, normally the process's own. */
export const createTerminal = (output: NodeJS.WriteStream, notes: NodeJS.WriteStream): Terminal => {
  let inProgress = false
  const clear = (): void => {
    if (inProgress) notes.write('\r\u001b[K')
    inProgress = false
  }
  return {
    print: (...lines) => {
      clear()
      for (const line of lines) output.write(`${line}\n`)
    },
    printJson: (value) => {
      clear()
      output.write(`${JSON.stringify(value, bigintAsText)}\n`)
    },
    note: (line) => {
      clear()
      notes.write(`${line}\n`)
    },
    progress: (line) => {
      if (!notes.isTTY) return
      clear()
      // Some terminals say that they are no columns wide.
      notes.write(line.slice(0, (notes.columns > 0 ? notes.columns : DEFAULT_COLUMNS) - 1))
      inProgress = line !== ''
    },
    paint: (tone, text) => styleText(tone, text, { stream: output, validateStream: true }),
  }
}

const bigintAsText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value
