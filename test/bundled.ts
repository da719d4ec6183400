import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The file to start for a source, a path from the repository: the one in the bundle of `test/run.ts`, if it is there. */
export const bundled = (source: string): string => {
  const file = join(process.env['OPENRFQ_BUNDLE'] ?? '', source.replace(/\.ts$/, '.mjs'))
  return process.env['OPENRFQ_BUNDLE'] && existsSync(file) ? file : source
}
