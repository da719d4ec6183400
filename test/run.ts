import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/**
 * Runs every test file: the end-to-end ones first, because they wait for chains while others compute. Files named on the
 * command line are run instead of all. Ends 1 when a test fails.
 */
const ROOT = join(import.meta.dirname, '..')
const AT_ONCE = 4
const FEWEST_FILES = 50

const find = (pattern: string): readonly string[] => globSync(pattern, { cwd: ROOT }).toSorted()
const named = process.argv.slice(2)
const files = named.length > 0 ? named : [...find('test/**/*.test.ts'), ...find('src/**/*.test.ts')]
if (named.length === 0 && files.length < FEWEST_FILES)
  throw new Error(`found only ${files.length} test files`)

// Every file is a process of its own, and most start others: each compiles what none before it has.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'openrfq-test-code')
const events = run({ files: files.map((file) => join(ROOT, file)), concurrency: AT_ONCE, cwd: ROOT })
events.on('test:fail', () => {
  process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)
