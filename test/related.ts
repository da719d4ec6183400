import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { type Changes, listFiles } from '../tools/changed-files.ts'

type Exports = Readonly<Record<string, string | { readonly 'openrfq-source'?: string }>>
type Workspace = { readonly folder: string; readonly name: string; readonly exports: Exports }

/** The test files to run for a change, and sentences on the choice. */
type Related = { readonly tests: readonly string[]; readonly lines: readonly string[] }

const MODULE = /\.[cm]?[jt]sx?$/
/** Modules written by a build; they are read as files. */
const BUILT = /(^|\/)(built|dist|node_modules)\//
/** No code of the other module runs for these. */
const TYPES_ONLY = /^(?:import|export) type (?:\{[^}]*\}|\w+|\* as \w+) from '[^']+'/gm
/** A literal that may name a file: it has no spaces, and a dot or a slash. */
const LITERAL = /(['"`])([\w@.*/-]*[./][\w@.*/-]*)\1/g

const isModule = (path: string): boolean => MODULE.test(path) && !BUILT.test(path)

const readWorkspaces = (root: string): readonly Workspace[] =>
  globSync('packages/*/package.json', { cwd: root }).map((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    return { folder: dirname(path), name, exports }
  })

const sourceOf = (target: Exports[string] | undefined): string | undefined =>
  typeof target === 'object' ? target['openrfq-source'] : target

/** The file that a specifier such as `@openrfq/sandbox/src/a.ts` names by the exports of its package. */
const resolveExport = ({ folder, name, exports }: Workspace, specifier: string): string | undefined => {
  if (specifier !== name && !specifier.startsWith(`${name}/`)) return undefined
  const key = `.${specifier.slice(name.length)}`
  const pattern = Object.keys(exports)
    .filter((one) => one === key || (one.endsWith('*') && key.startsWith(one.slice(0, -1))))
    .toSorted((one, other) => other.length - one.length)[0]
  const target = pattern === undefined ? undefined : sourceOf(exports[pattern])
  if (pattern === undefined || target === undefined) return undefined
  return posix.join(folder, target.replace('*', key.slice(pattern.length - 1)))
}

/** The paths that a module names: as an import, from its own folder and from the root of the repository. */
const namesIn = (text: string, path: string, workspaces: readonly Workspace[]): readonly string[] =>
  [...text.replaceAll(TYPES_ONLY, '').matchAll(LITERAL)].flatMap(([, , literal = '']) => [
    ...workspaces.flatMap((workspace) => resolveExport(workspace, literal) ?? []),
    posix.join(dirname(path), literal),
    posix.join(literal),
  ])

/** For each file the modules that name it. A module that another starts as a process is named by its path. */
const readImporters = (root: string, files: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> => {
  const workspaces = readWorkspaces(root)
  const importers = new Map<string, string[]>()
  for (const path of [...files].filter((file) => isModule(file) && existsSync(join(root, file))))
    for (const named of new Set(namesIn(readFileSync(join(root, path), 'utf8'), path, workspaces)))
      if (files.has(named) && named !== path) importers.set(named, [...(importers.get(named) ?? []), path])
  return importers
}

/** The tests among all that depend on a file: they import it, or a module that does. */
const testsOf = (
  file: string,
  tests: ReadonlySet<string>,
  importers: ReadonlyMap<string, readonly string[]>,
): readonly string[] => {
  const found = new Set([file])
  for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer)
  return [...found].filter((one) => tests.has(one))
}

/** The package that a file is in, which may read it by a pattern, as migrations are; undefined outside packages. */
const packageOf = (file: string): string | undefined => /^packages\/[^/]+\//.exec(file)?.[0]

/**
 * Chooses from test files those that depend on what changed. A changed file that is no module and that no module names,
 * such as a migration, relates to all tests of its package. Throws Error outside a git repository.
 */
export const findRelated = (root: string, { since, files }: Changes, all: readonly string[]): Related => {
  const importers = readImporters(root, new Set([...listFiles(root), ...files]))
  const tests = new Set(all)
  const related = new Map(
    files.map((file) => {
      const found = testsOf(file, tests, importers)
      const folder = isModule(file) ? undefined : packageOf(file)
      if (found.length > 0 || folder === undefined) return [file, found]
      return [file, all.filter((test) => test.startsWith(folder))]
    }),
  )
  const chosen = new Set([...related.values()].flat())
  const unreached = files.filter((file) => related.get(file)?.length === 0)
  return {
    tests: all.filter((test) => chosen.has(test)),
    lines: [
      `${chosen.size} of ${all.length} test files depend on the ${files.length} files that differ from ${since}`,
      ...unreached.map((file) => `no test imports ${file}: run npm test`),
    ],
  }
}
