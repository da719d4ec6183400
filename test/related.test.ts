import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { findRelated } from './related.ts'

const EXPORTS = {
  '.': { 'openrfq-source': './src/index.ts', default: './dist/index.js' },
  './lib/*': { 'openrfq-source': './src/lib/*.ts' },
  './src/*': { 'openrfq-source': './src/*' },
  './table.json': './table.json',
}
const FILES: Readonly<Record<string, string>> = {
  'packages/a/package.json': JSON.stringify({ name: '@x/a', exports: EXPORTS }),
  'packages/a/src/index.ts': "export { one } from './one.ts'\nexport type Two = number\n",
  'packages/a/src/one.ts':
    "import type { Two } from './two.ts'\nimport {\n  three,\n} from './lib/three.ts'\n",
  'packages/a/src/one.test.ts': "import { one } from './one.ts'\n",
  'packages/a/src/two.ts': "import { one } from './one.ts'\n",
  'packages/a/src/lib/three.ts': "export const load = () => import('./lazy.ts')\n",
  'packages/a/src/lib/lazy.ts': "new URL('../worker.ts', import.meta.url)\n",
  'packages/a/src/worker.ts': "export type A = number\nexport { gone } from './gone.ts'\n",
  'packages/a/src/program.ts': '',
  'packages/a/migrations/1.sql': '',
  'packages/a/table.json': '',
  'packages/a/dist/index.js': "import '../src/program.ts'\n",
  'test/all.test.ts': "import '@x/a'\n",
  'test/lib.test.ts': "import '@x/a/lib/three'\n",
  'test/process.test.ts': "spawn(join(ROOT, 'packages/a/src/program.ts'))\n",
  'test/source.test.ts': "import '@x/a/src/two.ts'\nconst table = import.meta.resolve('@x/a/table.json')\n",
  'docs/page.md': '',
  'bench/speed.ts': "import '@x/a'\n",
}
const TESTS = Object.keys(FILES).filter((file) => file.endsWith('.test.ts'))
const [ALL, LIB, PROCESS, SOURCE, ONE] = [
  'test/all.test.ts',
  'test/lib.test.ts',
  'test/process.test.ts',
  'test/source.test.ts',
  'packages/a/src/one.test.ts',
]

const root = mkdtempSync(join(tmpdir(), 'openrfq-related-'))
after(() => rmSync(root, { recursive: true, force: true }))
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
execFileSync('git', ['init', '--quiet'], { cwd: root })

/** For each changed file the tests that depend on it. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  'packages/a/src/index.ts': [ALL],
  'packages/a/src/one.ts': [ALL, SOURCE, ONE],
  'packages/a/src/two.ts': [SOURCE],
  'packages/a/src/lib/three.ts': [ALL, LIB, SOURCE, ONE],
  'packages/a/src/lib/lazy.ts': [ALL, LIB, SOURCE, ONE],
  'packages/a/src/worker.ts': [ALL, LIB, SOURCE, ONE],
  'packages/a/src/gone.ts': [ALL, LIB, SOURCE, ONE],
  'packages/a/src/program.ts': [PROCESS],
  'packages/a/migrations/1.sql': [ONE],
  'packages/a/table.json': [SOURCE],
  'test/lib.test.ts': [LIB],
  'docs/page.md': [],
  'bench/speed.ts': [],
}

for (const [file, expected] of Object.entries(RELATED))
  test(`${file} relates to ${expected.length} tests`, () => {
    const { tests } = findRelated(root, { since: 'HEAD', files: [file] }, TESTS)
    assert.deepEqual(tests.toSorted(), expected.toSorted())
  })

test('counts the tests and names each file that none depends on', () => {
  const changes = { since: 'HEAD~1', files: ['docs/page.md', 'packages/a/src/two.ts', 'bench/speed.ts'] }
  assert.deepEqual(findRelated(root, changes, TESTS).lines, [
    '1 of 5 test files depend on the 3 files that differ from HEAD~1',
    'no test imports docs/page.md: run npm test',
    'no test imports bench/speed.ts: run npm test',
  ])
})

test('in this repository a module relates to its test and to tests of other packages, and not to all', () => {
  const here = join(import.meta.dirname, '..')
  const all = globSync('{test,packages/*/{src,test}}/**/*.test.ts', { cwd: here })
  const relatedTo = (file: string): readonly string[] =>
    findRelated(here, { since: 'HEAD', files: [file] }, all).tests
  const tests = relatedTo('packages/service/src/core/ranking.ts')
  assert.ok(tests.includes('packages/service/src/core/ranking.test.ts'))
  assert.ok(tests.includes('test/walks.test.ts'))
  assert.ok(tests.length < all.length / 2, `${tests.length} of ${all.length}`)
  assert.ok(relatedTo('packages/service/src/store/sqlite-writer.ts').includes('test/walks.test.ts'))
})
