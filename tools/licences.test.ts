import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { checkLicences } from './licences.ts'

const folder = mkdtempSync(join(tmpdir(), 'openrfq-licences-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

type Entries = Readonly<Record<string, object>>

const problemsOf = (entries: Entries, readme = ''): readonly string[] => {
  const own = { '': { license: 'Apache-2.0' }, 'packages/sandbox': { license: 'Apache-2.0' } }
  write('package-lock.json', JSON.stringify({ packages: { ...own, ...entries } }))
  write('packages/sandbox/README.md', readme)
  return checkLicences(folder).problems
}

type Entry = { readonly license: string; readonly dev?: true; readonly optional?: true }

const ALLOWED: readonly Entry[] = [
  { license: 'MIT' },
  { license: 'BlueOak-1.0.0' },
  { license: '(MIT OR GPL-3.0)' },
  { license: 'GPL-3.0 OR Apache-2.0' },
  { license: '(MIT AND Zlib)' },
  { license: 'MPL-2.0', dev: true },
]
const REFUSED: readonly Entry[] = [
  { license: 'GPL-3.0-or-later' },
  { license: 'GPL-3.0-or-later', dev: true },
  { license: 'AGPL-3.0' },
  { license: 'LGPL-3.0' },
  { license: 'BUSL-1.1' },
  { license: 'SEE LICENSE IN LICENSE' },
  { license: 'UNLICENSED' },
  { license: '' },
  { license: 'MIT AND GPL-3.0' },
  { license: 'MIT AND (GPL-3.0 OR ISC)' },
  { license: 'MPL-2.0' },
  { license: 'MPL-2.0', optional: true },
]

for (const entry of ALLOWED)
  test(`allows ${JSON.stringify(entry)}`, () => {
    assert.deepEqual(problemsOf({ 'node_modules/a': entry }), [])
  })

for (const entry of REFUSED)
  test(`refuses ${JSON.stringify(entry)}`, () => {
    assert.deepEqual(problemsOf({ 'node_modules/@x/a/node_modules/@y/b': entry }), [
      `@y/b: ${entry.license} is not allowed`,
    ])
  })

test('reads the licence of a package when the lock file lacks it', () => {
  assert.deepEqual(problemsOf({ 'node_modules/a': {} }), ['a: UNKNOWN is not allowed'])
  write('node_modules/a/package.json', JSON.stringify({ licenses: [{ type: 'MIT' }] }))
  assert.deepEqual(problemsOf({ 'node_modules/a': {} }), [])
  write('node_modules/a/package.json', JSON.stringify({ license: 'GPL-2.0' }))
  assert.deepEqual(problemsOf({ 'node_modules/a': {} }), ['a: GPL-2.0 is not allowed'])
})

test("requires the project's own licence for packages of the repository", () => {
  assert.deepEqual(problemsOf({ 'packages/sdk': { license: 'MIT' } }), [
    'packages/sdk: MIT instead of Apache-2.0',
  ])
})

const UNISWAP: Entries = {
  'packages/sandbox': { license: 'Apache-2.0', dependencies: { '@uniswap/v3-periphery': '1.4.4' } },
  'node_modules/@uniswap/v3-periphery': {
    license: 'GPL-2.0-or-later',
    dependencies: { '@uniswap/v3-core': '1.0.0' },
  },
  'node_modules/@uniswap/v3-core': { license: 'BUSL-1.1' },
}
const README = '@uniswap/v3-periphery GPL-2.0-or-later, @uniswap/v3-core BUSL-1.1'

test('allows the contracts of Uniswap in the sandbox only, whose README names them', () => {
  assert.deepEqual(problemsOf(UNISWAP, README), [])
  assert.deepEqual(problemsOf(UNISWAP, '@uniswap/v3-periphery GPL-2.0-or-later'), [
    '@uniswap/v3-core: packages/sandbox/README.md does not name it with BUSL-1.1',
  ])
  const service = { license: 'Apache-2.0', devDependencies: { '@uniswap/v3-core': '1.0.0' } }
  assert.deepEqual(problemsOf({ ...UNISWAP, 'packages/service': service }, README), [
    '@uniswap/v3-core: BUSL-1.1 is for the sandbox only, and packages/service depends on it',
  ])
  const between = { license: 'MIT', dependencies: { '@uniswap/v3-core': '1.0.0' } }
  assert.deepEqual(problemsOf({ ...UNISWAP, 'node_modules/swaps': between }, README), [
    '@uniswap/v3-core: BUSL-1.1 is for the sandbox only, and node_modules/swaps depends on it',
  ])
  assert.deepEqual(
    problemsOf({ ...UNISWAP, 'node_modules/@uniswap/v3-core': { license: 'AGPL-3.0' } }, README),
    ['@uniswap/v3-core: AGPL-3.0 is not allowed'],
  )
})

test('fails without a lock file', () => {
  assert.throws(() => checkLicences(join(folder, 'nothing')), /ENOENT/)
})
