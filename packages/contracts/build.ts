import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compileContracts } from './compile.ts'

const folder = join(import.meta.dirname, 'artifacts')
const artifacts = compileContracts()

rmSync(folder, { recursive: true, force: true })
for (const [name, text] of artifacts) {
  const file = join(folder, `${name}.json`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
