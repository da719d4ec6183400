import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileContracts } from './compile.ts'

for (const [name, text] of compileContracts())
  writeFileSync(join(import.meta.dirname, 'artifacts', `${name}.json`), text)
