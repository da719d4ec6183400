import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasComputedImport } from './computed-imports.ts'
import { cruise, installTools, readRules } from './cruise.ts'
import { isPath, namedPaths } from './named-paths.ts'
import { measuredTimes } from './wall-time.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['packages', 'test', 'bench', 'scripts', 'tools']
/** With an incompatible TypeScript, dependency-cruiser reads nothing and reports no violation. */
const FEWEST_MODULES = 900
const FEWEST_IMPORTS = 5_000
/** The folders where `npm test` and `npm run check` look for tests. */
const TEST_HOMES = /^(test|scripts|tools|packages\/[^/]+\/(src|test))\//
/** Product code that finds files of other packages by `createRequire`. */
const COMPUTED_IMPORTS = new Set([
  'packages/sandbox/src/anvil.ts',
  'packages/sandbox/src/deploy/artifacts.ts',
])

/** Pages whose paths must exist. */
const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'README.md', 'SECURITY.md']
/** A lower count would mean that the search failed. */
const FEWEST_PATHS = 80

/** A lower count would mean that the search failed. */
const FEWEST_TEST_FILES = 600
/** They measure how much load the machine takes, and assert nothing about it. */
const PACED = new Set(['test/chaos-world.ts', 'test/solana-flooder.ts', 'test/status-streams.soak.test.ts'])

installTools()
const rules = readRules()
const { totalCruised, totalDependenciesCruised, violations } = await cruise(ROOT, FOLDERS)
const problems = violations.map(
  ({ rule, from, to, cycle }) =>
    `${rule.name}: ${from} -> ${cycle?.map(({ name }) => name).join(' -> ') ?? to} (${rules.get(rule.name)})`,
)
if (totalCruised < FEWEST_MODULES || totalDependenciesCruised < FEWEST_IMPORTS)
  problems.push(`read only ${totalCruised} modules and ${totalDependenciesCruised} imports`)
for (const file of globSync('**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] }))
  if (!TEST_HOMES.test(file)) problems.push(`${file}: no command runs this test`)
const computed = new Set(
  globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts') && hasComputedImport(readFileSync(join(ROOT, file), 'utf8')),
  ),
)
for (const file of computed.difference(COMPUTED_IMPORTS))
  problems.push(
    `${file}: imports a module by a computed name; write the name, or list the file in tools/structure.ts`,
  )
for (const file of COMPUTED_IMPORTS.difference(computed))
  problems.push(`${file}: is listed in tools/structure.ts and computes no import`)
const named = PAGES.flatMap((page) =>
  namedPaths(readFileSync(join(ROOT, page), 'utf8')).map((path) => ({ page, path })),
)
if (named.length < FEWEST_PATHS) problems.push(`read only ${named.length} paths in ${PAGES.join(', ')}`)
for (const { page, path } of named)
  if (!isPath(ROOT, path)) problems.push(`${page}: names ${path}, which does not exist`)
const testFiles = new Set(
  globSync(['{packages,scripts,test}/**/*.test.ts', 'test/**/*.ts', 'packages/*/test/**/*.ts'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  }),
)
if (testFiles.size < FEWEST_TEST_FILES) problems.push(`read only ${testFiles.size} test files`)
const measuring = new Set<string>()
for (const file of testFiles) {
  const times = measuredTimes(readFileSync(join(ROOT, file), 'utf8'))
  if (times.length > 0) measuring.add(file)
  if (PACED.has(file)) continue
  for (const time of times)
    problems.push(
      `${file}: measures \`${time}\`; set a clock, count steps, print it in a template or move it to bench/`,
    )
}
for (const file of PACED.difference(measuring))
  problems.push(`${file}: is listed in tools/structure.ts and measures no time`)
for (const problem of problems) console.error(problem)
console.log(
  `structure: ${totalCruised} modules, ${totalDependenciesCruised} imports, ${named.length} paths, ${testFiles.size} test files, ${problems.length} problems`,
)
process.exitCode = problems.length === 0 ? 0 : 1
