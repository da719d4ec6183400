import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { abiModules } from '../abi-modules.ts'
import { compileContracts } from '../compile.ts'

const filesOf = (folder: string, extension: string): ReadonlyMap<string, string> => {
  const path = join(import.meta.dirname, '..', folder)
  const files = globSync(`**/*${extension}`, { cwd: path }).map((file): [string, string] => [
    file.replaceAll('\\', '/'),
    readFileSync(join(path, file), 'utf8'),
  ])
  return new Map(files.toSorted())
}

test('the committed artifacts and ABIs equal a fresh build of the committed sources', () => {
  const compiled = compileContracts()
  const artifacts = [...compiled].map(([name, text]): [string, string] => [`${name}.json`, text])
  assert.deepEqual(filesOf('artifacts', '.json'), new Map(artifacts.toSorted()))
  assert.deepEqual(filesOf('src/abis', '.ts'), new Map([...abiModules(compiled)].toSorted()))
})
