import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileContracts } from './compile.ts'

const folder = join(import.meta.dirname, 'artifacts')
const artifacts = compileContracts()

rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, 'test'), { recursive: true })
for (const [name, text] of artifacts) writeFileSync(join(folder, `${name}.json`), text)
