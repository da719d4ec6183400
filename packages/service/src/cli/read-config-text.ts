import { readFile } from 'node:fs/promises'
import { UsageError } from './usage-error.ts'

/** The text of a configuration file. Throws UsageError that names a file which cannot be read. */
export const readConfigText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`the configuration cannot be read: ${file}`)
  }
}
