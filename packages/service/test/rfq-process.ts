import { execFile } from 'node:child_process'
import { join } from 'node:path'

const RFQ = join(import.meta.dirname, '../src/cli/rfq.ts')

/** The result of a command: exit code, standard output and standard error. */
export type Ended = { readonly code: number; readonly output: string; readonly notes: string }

/** Runs the command as a child process, without colours and without a terminal. */
export const rfq = (
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...environment }
    execFile(process.execPath, [RFQ, ...words], { env }, (error, output, notes) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, notes }),
    )
  })
