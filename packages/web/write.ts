import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT, buildPages } from './build.ts'

/** Writes the pages that the service serves. */
const files = await buildPages()
rmSync(BUILT, { recursive: true, force: true })
mkdirSync(join(BUILT, 'assets'), { recursive: true })
for (const [name, text] of files) writeFileSync(join(BUILT, name), text)
