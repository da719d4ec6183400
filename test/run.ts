import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, constants } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { openOwnedFolder } from 'openrfq/lib/owned-folder'
import { findChanges } from '../tools/changed-files.ts'
import { watchCrashes } from './crashed-files.ts'
import { endDescendants } from './end-descendants.ts'
import { groupFiles, sharesWorld, writeGroup } from './groups.ts'
import { mergeRuns } from './merge-runs.ts'
import { findRelated } from './related.ts'
import { createReport } from './run-report.ts'
import { SOAKS } from './soaks.ts'

/**
 * Runs the test files, the end-to-end ones beside the others. `--long` runs those that attack, break, kill,
 * reorganise, make random walks or compile (`*.long.test.ts`), and a tenth of every soak; `--related` those that depend on
 * what changed; files named on the command line are run instead of all. `--soak <name>` runs a whole soak
 * (`*.soak.test.ts`), and lists all soaks without a name. Exits with 1 when a test fails. SIGINT, SIGTERM and SIGHUP end
 * the tests with all processes that they have started.
 */
const ROOT = join(import.meta.dirname, '..')
/** Concurrent files. End-to-end ones start a dozen processes each and wait for chains; others compute, and wait for locks. */
const CORES = availableParallelism()
const AT_ONCE = {
  short: { endToEnd: 1, other: CORES + 2 },
  long: { endToEnd: CORES + 1, other: CORES },
  soak: { endToEnd: 1, other: 1 },
} as const
/** Deadline of a file that would never end. */
const GIVE_UP_MS = { short: 1_800_000, long: 3_600_000, soak: 21_600_000 } as const
/** A lower count would mean that the search failed. */
const FEWEST_FILES = { short: 200, long: 30, soak: 1 } as const
const SHARES = { short: 0.1, long: 0.1, soak: 1 } as const
const SOAK = '.soak.test.ts'

type Kind = keyof typeof AT_ONCE

const fail = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

const find = (pattern: string): readonly string[] => globSync(pattern, { cwd: ROOT }).toSorted()

const kindOf = (file: string): Kind =>
  file.endsWith(SOAK) ? 'soak' : file.endsWith('.long.test.ts') ? 'long' : 'short'

/** The files of the soaks in the table, by name. Throws Error when table and files differ. */
const findSoaks = (files: readonly string[]): ReadonlyMap<string, string> => {
  const soaks = new Map(files.map((file) => [basename(file, SOAK), file]))
  const [names, listed] = [[...soaks.keys()].toSorted(), Object.keys(SOAKS).toSorted()]
  if (String(names) !== String(listed)) throw new Error(`soaks are ${names}, and test/soaks.ts has ${listed}`)
  return soaks
}

/** Prints the names and descriptions of the soaks, and exits. */
const listSoaks = (): never => {
  const width = Math.max(...Object.keys(SOAKS).map((name) => name.length))
  for (const [name, does] of Object.entries(SOAKS)) console.log(`${name.padEnd(width)}  ${does}`)
  process.exit(0)
}

const chooseFiles = (kind: Kind, named: readonly string[]): readonly string[] => {
  const all = [...find('{test,scripts}/**/*.test.ts'), ...find('packages/*/{src,test}/**/*.test.ts')]
  const soaks = findSoaks(all.filter((file) => kindOf(file) === 'soak'))
  if (kind === 'soak') {
    if (named.length === 0) listSoaks()
    return named.map(
      (name) => soaks.get(name) ?? fail(`no soak ${name}: expected one of ${Object.keys(SOAKS).join(', ')}`),
    )
  }
  const missing = named.find((file) => !existsSync(resolve(ROOT, file)))
  if (missing !== undefined) fail(`no test file ${missing}: expected a path from the root of the repository`)
  if (named.length > 0) return named
  const wanted = all.filter((file) => (kindOf(file) === 'short') === (kind === 'short'))
  if (wanted.length < FEWEST_FILES[kind]) throw new Error(`found only ${wanted.length} test files`)
  return words.includes('--related') ? chooseRelated(wanted) : wanted
}

/** The files that depend on what changed. Exits with 0 when there are none. */
const chooseRelated = (all: readonly string[]): readonly string[] => {
  const { tests, lines } = findRelated(ROOT, findChanges(ROOT), all)
  for (const line of lines) console.log(line)
  return tests.length > 0 ? tests : process.exit(0)
}

/** The seed of the soaks: SOAK_SEED if it is set. */
const chooseSeed = (): number => {
  const text = process.env['SOAK_SEED'] || String(randomInt(2 ** 31))
  const seed = Number(text)
  if (Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31) return seed
  return fail(`SOAK_SEED is ${text}: expected a whole number from 0 to ${2 ** 31 - 1}`)
}

const words = process.argv.slice(2)
const kind: Kind = words.includes('--soak') ? 'soak' : words.includes('--long') ? 'long' : 'short'
const files = chooseFiles(
  kind,
  words.filter((word) => !['--long', '--soak', '--related'].includes(word)),
)
const hasSoaks = files.some((file) => kindOf(file) === 'soak')
const seed = chooseSeed()
const sayHowToRepeat = (): void => {
  if (hasSoaks) console.log(`SOAK_SEED=${seed} repeats the random choices of these soaks`)
}

// What tests leave when they are killed goes with this folder, or with the next start.
const folder = openOwnedFolder('openrfq-test')
// PostgreSQL runs as another user below it.
chmodSync(folder.path, 0o755)
process.env['TMPDIR'] = folder.path
process.env['SOAK_SEED'] = String(seed)
process.env['SOAK_SHARE'] = String(SHARES[kind])
sayHowToRepeat()
/** Whether a file starts a sandbox with its service; of the short ones, those of the one world do. */
const isEndToEnd = (file: string): boolean =>
  file.startsWith(join('test', '')) && (kindOf(file) !== 'short' || sharesWorld(file))
/** The modules to run: one for each group of files that share a process, and every other file. */
const modulesOf = (chosen: readonly string[]): readonly string[] =>
  groupFiles(chosen).map((group) => {
    const [first = '', ...others] = group.files
    return others.length === 0 ? resolve(ROOT, first) : writeGroup(folder.path, ROOT, group)
  })
const named = files.map((file) => relative(ROOT, resolve(ROOT, file)))
if (named.some(isEndToEnd)) {
  // The programs that these files start load in a fraction of the time from a bundle.
  const bundle: string | undefined = createRequire(import.meta.url)('../scripts/bundle.cjs').findBundle(
    ROOT,
    process.execPath,
  )
  process.env['OPENRFQ_BUNDLE'] = bundle ?? ''
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS']} --enable-source-maps`
}
const runs = [
  { modules: modulesOf(named.filter(isEndToEnd)), concurrency: AT_ONCE[kind].endToEnd },
  { modules: modulesOf(named.filter((file) => !isEndToEnd(file))), concurrency: AT_ONCE[kind].other },
].flatMap(({ modules, concurrency }) =>
  modules.length === 0 ? [] : run({ files: modules, concurrency, cwd: ROOT, timeout: GIVE_UP_MS[kind] }),
)
const events = mergeRuns(runs)
const describeCrashes = watchCrashes(runs)
const describeRun = createReport(ROOT, runs)
for (const one of runs) {
  one.on('test:fail', () => {
    process.exitCode = 1
  })
}
events.compose(spec).pipe(process.stdout)
process.on('exit', () => {
  // Nothing is left unless the runner itself failed.
  endDescendants()
  folder.remove()
  sayHowToRepeat()
  const crashes = describeCrashes()
  if (crashes.length > 0) process.exitCode ||= 1
  for (const line of crashes) console.log(line)
  for (const line of describeRun()) console.log(line)
})
// Blocks, so that no further file starts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    endDescendants()
    process.exit(128 + constants.signals[signal])
  })
