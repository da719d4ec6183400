import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file of a program: in the bundle whose folder `OPENRFQ_BUNDLE` names, without one its source at the URL. */
export const programFile = (name: string, sourceUrl: string): string => {
  const bundle = process.env['OPENRFQ_BUNDLE'] || undefined
  return bundle === undefined ? fileURLToPath(sourceUrl) : join(bundle, `${name}.js`)
}
