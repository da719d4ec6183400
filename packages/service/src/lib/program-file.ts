import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The file of a program of this repository: in the bundle whose folder `OPENRFQ_BUNDLE` names, at the path that its source has
 * in the repository; without a bundle the source at the URL.
 */
export const programFile = (path: string, sourceUrl: string): string => {
  const bundle = process.env['OPENRFQ_BUNDLE'] || undefined
  return bundle === undefined ? fileURLToPath(sourceUrl) : join(bundle, path.replace(/\.ts$/, '.mjs'))
}
