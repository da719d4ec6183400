import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compileAxelar, compilerVersion } from '../../programs/build.ts'

const skip = compilerVersion() === undefined && 'clang-19 is not installed'

test('the committed program that plays Axelar equals a fresh build of its source', { skip }, () => {
  const committed = readFileSync(new URL('../../programs/axelar.so', import.meta.url))
  assert.ok(committed.equals(compileAxelar()), 'run `npm run programs`, and commit the program')
})
