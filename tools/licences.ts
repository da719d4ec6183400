import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const OWN = 'Apache-2.0'
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
])
/** Licences allowed for packages that no user of the project receives. */
const DEVELOPMENT_ONLY = new Set(['MPL-2.0', 'Python-2.0'])
/** Packages that only the sandbox depends on, to run the contracts of real chains; its README names each. */
const SANDBOX_ONLY: ReadonlyMap<string, string> = new Map([
  ['@uniswap/lib', 'GPL-3.0-or-later'],
  ['@uniswap/v2-core', 'GPL-3.0-or-later'],
  ['@uniswap/v3-core', 'BUSL-1.1'],
  ['@uniswap/v3-periphery', 'GPL-2.0-or-later'],
])
const SANDBOX = 'packages/sandbox'

const Dependencies = z.record(z.string(), z.string()).default({})
const Package = z.object({
  license: z.string().optional(),
  licenses: z.array(z.union([z.string(), z.object({ type: z.string() })])).optional(),
})
const LockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
      dependencies: Dependencies,
      devDependencies: Dependencies,
      optionalDependencies: Dependencies,
    }),
  ),
})
type Entry = z.infer<typeof LockFile>['packages'][string]

const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path
const isOurs = (path: string): boolean => !path.includes('node_modules/')

/** Old packages name their licence in a list, which npm does not copy into the lock file. */
const licenceOf = (folder: string, path: string, { license }: Entry): string => {
  if (license !== undefined) return license
  const file = join(folder, path, 'package.json')
  if (!existsSync(file)) return 'UNKNOWN'
  const described = Package.parse(JSON.parse(readFileSync(file, 'utf8')))
  return (
    described.license ??
    described.licenses?.map((one) => (typeof one === 'string' ? one : one.type)).join(' OR ') ??
    'UNKNOWN'
  )
}

/**
 * Whether an SPDX expression without nested parentheses offers a licence of a set; for AND, whether all are in the set.
 */
const isWithin = (expression: string, licences: ReadonlySet<string>): boolean => {
  const text = expression.replace(/^\((.*)\)$/, '$1')
  if (text.includes('(')) return false
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => licences.has(licence)))
}

const dependentsOf = (packages: Readonly<Record<string, Entry>>, name: string): readonly string[] =>
  Object.entries(packages)
    .filter(([, entry]) =>
      [entry.dependencies, entry.devDependencies, entry.optionalDependencies].some((list) => name in list),
    )
    .map(([path]) => path)

const sandboxProblems = (
  packages: Readonly<Record<string, Entry>>,
  { name, licence, readme }: { readonly name: string; readonly licence: string; readonly readme: string },
): readonly string[] => {
  if (SANDBOX_ONLY.get(name) !== licence) return [`${name}: ${licence} is not allowed`]
  const others = dependentsOf(packages, name).filter(
    (path) => path !== SANDBOX && !SANDBOX_ONLY.has(nameOf(path)),
  )
  return [
    ...others.map(
      (path) => `${name}: ${licence} is for the sandbox only, and ${path || 'the root'} depends on it`,
    ),
    ...(readme.includes(name) && readme.includes(licence)
      ? []
      : [`${name}: ${SANDBOX}/README.md does not name it with ${licence}`]),
  ]
}

/**
 * Checks the licences of all packages in a folder's lock file, for all platforms, and of the folder's own. Returns
 * the problems and the number of packages read. Throws when there is no lock file.
 */
export const checkLicences = (
  folder: string,
): { readonly read: number; readonly problems: readonly string[] } => {
  const { packages } = LockFile.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')))
  const readme = globSync(join(folder, SANDBOX, 'README.md'))
    .map((file) => readFileSync(file, 'utf8'))
    .join()
  const entries = Object.entries(packages).filter(([, { link }]) => !link)
  const problems = entries.flatMap(([path, entry]) => {
    const licence = licenceOf(folder, path, entry)
    if (isOurs(path)) return licence === OWN ? [] : [`${path || 'the root'}: ${licence} instead of ${OWN}`]
    if (isWithin(licence, PERMISSIVE) || (entry.dev && isWithin(licence, DEVELOPMENT_ONLY))) return []
    return sandboxProblems(packages, { name: nameOf(path), licence, readme })
  })
  return { read: entries.length, problems }
}
