import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Test files that one process runs, one after the other; they share modules and worlds. */
type TestGroup = { readonly name: string; readonly files: readonly string[] }

/**
 * Files that share a world, in their order. Each leaves the world as it found it, apart from the last, which may move
 * its clock far ahead or stop it.
 */
const WORLDS: Readonly<Record<string, readonly string[]>> = {
  walks: ['test/endpoints.test.ts', 'test/walks.test.ts'],
  'intent-backends': [
    'packages/service/src/backends/intent/intent.long.test.ts',
    'packages/service/src/backends/conformance.long.test.ts',
  ],
  families: [
    'test/families.long.test.ts',
    'test/its-families.long.test.ts',
    'test/deposits.long.test.ts',
    'test/clock.long.test.ts',
  ],
  service: [
    'test/express.long.test.ts',
    'test/express-attacks.long.test.ts',
    'test/status-by-quote.long.test.ts',
    'test/transfer.long.test.ts',
  ],
  intents: ['test/intent.long.test.ts', 'test/intent-refund.long.test.ts', 'test/recovery.long.test.ts'],
  'solver-signals': ['test/intent-faults.long.test.ts', 'test/silent-solver.long.test.ts'],
  answers: ['test/answers.long.test.ts', 'test/unreadable-chains.long.test.ts'],
}

/** Whether a file shares its world with others. */
export const sharesWorld = (file: string): boolean => worldOf(file) !== undefined

const worldOf = (file: string): string | undefined =>
  Object.keys(WORLDS).find((name) => WORLDS[name]?.includes(file))

/** Short files share a process by folder: below `src` in the service, by package elsewhere. A long file has its own. */
const folderOf = (file: string): string =>
  isLong(file)
    ? file
    : (/^(packages\/service\/src\/[^/]+)\/|^(packages\/[^/]+)\//.exec(file)?.slice(1).find(Boolean) ?? file)

const isLong = (file: string): boolean => /\.(long|soak)\.test\.ts$/.test(file)

const placeIn = (name: string, file: string): number => WORLDS[name]?.indexOf(file) ?? 0

/** The slowest groups and those that wait most, which would hold up the end if they did not come first. */
const SLOWEST: readonly string[] = [
  ...Object.keys(WORLDS),
  'packages/service/src/intents',
  'packages/service/src/chains',
  'packages/service/src/transactions',
  'packages/service/src/service',
  'packages/sdk',
  'packages/service/src/store',
  'packages/service/src/lib',
  'packages/service/src/http',
  'packages/service/src/app',
  'packages/sandbox',
  'packages/contracts',
]

const turnOf = (name: string): number => (SLOWEST.includes(name) ? SLOWEST.indexOf(name) : SLOWEST.length)

/** Groups files by the world they share or by folder, the slowest groups first. */
export const groupFiles = (files: readonly string[]): readonly TestGroup[] => {
  const groups = Map.groupBy(files, (file) => worldOf(file) ?? folderOf(file))
  const slowestFirst = [...groups].toSorted(([one], [other]) => turnOf(one) - turnOf(other))
  return slowestFirst.map(([name, members]) => ({
    name,
    files: members.toSorted((one, other) => placeIn(name, one) - placeIn(name, other)),
  }))
}

const SHARED_WORLDS = pathToFileURL(
  join(import.meta.dirname, '../packages/service/test/shared-world.ts'),
).href

/** Writes a module that runs the group's files, each as a suite of its own with its own hooks. Returns its path. */
export const writeGroup = (folder: string, root: string, { name, files }: TestGroup): string => {
  const path = join(folder, `${name.replaceAll('/', '-')}.mjs`)
  const suites = files.map((file) => {
    const url = pathToFileURL(resolve(root, file)).href
    return `await suite(${JSON.stringify(file)}, ${JSON.stringify(url)})`
  })
  const lines = [
    `import { after, describe } from 'node:test'`,
    `import { keepWorlds } from ${JSON.stringify(SHARED_WORLDS)}`,
    'after(keepWorlds())',
    // A test belongs to the suite whose function imports its module, unless two of them import at once.
    'const suite = (file, url) =>',
    '  new Promise((resolve) => {',
    '    describe(file, async () => { try { await import(url) } finally { resolve() } })',
    '  })',
    ...suites,
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}
