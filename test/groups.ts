import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Test files that one process runs, one after the other; they share modules and worlds. */
type TestGroup = { readonly name: string; readonly files: readonly string[] }

/** Files that share a world, in their order; any other end-to-end file has a process of its own. */
const WORLDS: Readonly<Record<string, readonly string[]>> = {
  'intent-backends': [
    'packages/service/src/backends/intent/intent.test.ts',
    'packages/service/src/backends/conformance.test.ts',
  ],
  families: ['test/endpoints.test.ts', 'test/families.test.ts', 'test/answers.test.ts'],
  service: [
    'test/express.test.ts',
    'test/express-attacks.test.ts',
    'test/status-by-quote.test.ts',
    'test/transfer.test.ts',
  ],
  intents: ['test/intent.test.ts', 'test/intent-refund.test.ts', 'test/recovery.test.ts'],
}

const worldOf = (file: string): string | undefined =>
  Object.keys(WORLDS).find((name) => WORLDS[name]?.includes(file))

/** Folders below a package's `src` are groups in the service, the whole package elsewhere. */
const folderOf = (file: string): string =>
  /^(packages\/service\/src\/[^/]+)\/|^(packages\/[^/]+)\//.exec(file)?.slice(1).find(Boolean) ?? file

const placeIn = (name: string, file: string): number => WORLDS[name]?.indexOf(file) ?? 0

/** The slowest groups, which would hold up the end if they did not come first. */
const SLOWEST: readonly string[] = [
  'families',
  'intents',
  'service',
  'packages/service/src/backends',
  'intent-backends',
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
