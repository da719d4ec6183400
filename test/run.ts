import { existsSync, globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/**
 * Runs the test files: the end-to-end ones first, because they wait for chains while others compute. `--long` runs those
 * that kill, reorganise, try at random for long or compile (`*.long.test.ts`), and nothing else; files named on the command
 * line are run instead of all. Ends 1 when a test fails.
 */
const ROOT = join(import.meta.dirname, '..')
/** Most of the short ones wait for chains; the long ones compute, and measure what happens in time. */
const AT_ONCE = { short: 6, long: 4 } as const
const LONG = /\.long\.test\.ts$/
/** Fewer would mean that the search, and not the tests, is what succeeded. */
const FEWEST_FILES = { short: 180, long: 15 } as const

const find = (pattern: string): readonly string[] => globSync(pattern, { cwd: ROOT }).toSorted()
const named = process.argv.slice(2).filter((word) => word !== '--long')
const isLong = process.argv.includes('--long')
const length = isLong ? 'long' : 'short'
const all = [...find('{test,scripts}/**/*.test.ts'), ...find('packages/*/{src,test}/**/*.test.ts')]
const wanted = all.filter((file) => LONG.test(file) === isLong)
if (wanted.length < FEWEST_FILES[length]) throw new Error(`found only ${wanted.length} test files`)
const files = named.length > 0 ? named : wanted
const missing = files.find((file) => !existsSync(resolve(ROOT, file)))
if (missing !== undefined) {
  process.stderr.write(`no test file ${missing}: expected a path from the root of the repository\n`)
  process.exit(1)
}

// Every file is a process of its own, and most start others: each compiles what none before it has.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'openrfq-test-code')
const events = run({
  files: files.map((file) => resolve(ROOT, file)),
  concurrency: AT_ONCE[length],
  cwd: ROOT,
})
events.on('test:fail', () => {
  process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)
