import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileContracts } from '../compile.ts'

const folder = join(import.meta.dirname, '../artifacts')

test('the committed artifacts are what the compiler makes of the committed sources', () => {
  const committed = globSync('**/*.json', { cwd: folder }).map((file): [string, string] => [
    file.replaceAll('\\', '/').replace(/\.json$/, ''),
    readFileSync(join(folder, file), 'utf8'),
  ])
  assert.deepEqual(new Map(committed.sort()), new Map([...compileContracts()].sort()))
})
