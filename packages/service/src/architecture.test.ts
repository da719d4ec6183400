import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, relative } from 'node:path'
import { test } from 'node:test'

const root = import.meta.dirname

/** What each folder of src/ may import from the others. `main` and `config` are files. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  chains: ['core'],
  pricing: ['core'],
  store: ['core'],
  axelar: ['core', 'chains', 'pricing'],
  outbox: ['core', 'chains', 'store'],
  solvers: ['core', 'chains', 'pricing', 'store'],
  vault: ['pricing', 'core', 'chains', 'store', 'outbox', 'solvers'],
  backends: ['core', 'chains', 'pricing', 'store', 'axelar', 'solvers', 'vault'],
  service: ['core', 'chains', 'pricing', 'store', 'axelar', 'solvers', 'outbox', 'vault', 'backends'],
  http: ['core', 'solvers', 'service'],
  client: ['core'],
  cli: ['core', 'client', 'reference-solver', 'attester'],
  'reference-solver': ['core', 'chains', 'pricing', 'store', 'axelar', 'solvers', 'outbox', 'vault'],
  attester: ['core', 'chains', 'store', 'solvers', 'outbox'],
  sandbox: ['core', 'chains', 'pricing', 'store', 'axelar', 'solvers'],
  'config.ts': ['core'],
  compose: [
    'core',
    'chains',
    'pricing',
    'store',
    'axelar',
    'outbox',
    'solvers',
    'vault',
    'backends',
    'service',
    'http',
    'sandbox',
    'config.ts',
  ],
  'main.ts': ['core', 'backends', 'compose', 'service', 'http', 'store', 'config.ts'],
}

/** Folders inside one folder that must not know each other. */
const SIBLINGS: Readonly<Record<string, readonly string[]>> = {
  chains: ['evm', 'solana', 'stellar'],
  backends: ['its', 'gateway', 'gateway-express', 'intent'],
}

/** The one import between siblings that the design allows. */
const SIBLING_EXCEPTIONS = ['backends/gateway-express -> backends/gateway']

/** Where each package may be imported; tests may use any as an oracle. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  zod: [
    'core',
    'config.ts',
    'http',
    'axelar',
    'chains',
    'store',
    'solvers',
    'outbox',
    'client',
    'reference-solver',
    'attester',
    'sandbox',
  ],
  viem: [
    'chains/evm',
    'axelar',
    'solvers',
    'outbox',
    'client/execute',
    'reference-solver',
    'attester',
    'sandbox',
    'backends',
  ],
  '@solana/kit': ['chains/solana', 'client/execute', 'sandbox'],
  ws: ['http', 'reference-solver', 'sandbox'],
  'hash-wasm': ['chains/evm'],
  'tiny-secp256k1': ['chains/evm'],
  '@stellar/stellar-sdk': ['chains/stellar', 'client/execute', 'sandbox'],
  pg: ['store'],
  qr: ['cli'],
  pino: ['main.ts', 'http'],
  'prom-client': ['http', 'main.ts'],
}

const files = globSync('**/*.ts', { cwd: root })
const isTest = (file: string): boolean => file.endsWith('.test.ts')
const houseOf = (file: string): string => file.split('/')[0] ?? file

/** Every specifier of static, type, dynamic, side-effect and re-exporting imports. */
const importsOf = (file: string): readonly string[] => {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\bresolve\s*\(\s*)['"]([\w@.:#/-]+)['"]/g)
  return [...found].flatMap((match) => (match[1] === undefined ? [] : [match[1]]))
}

const isLocal = (specifier: string): boolean => specifier.startsWith('.')
const targetOf = (file: string, specifier: string): string => normalize(join(dirname(file), specifier))

test('reads the whole source tree', () => {
  assert.ok(files.length > 20, `found only ${files.length} files`)
  assert.ok(files.some((file) => importsOf(file).length > 3))
})

test('imports point down the table of folders', () => {
  const wrong = files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      importsOf(file)
        .filter(isLocal)
        .map((specifier) => targetOf(file, specifier))
        .filter((target) => !target.startsWith('..'))
        .filter((target) => houseOf(target) !== houseOf(file))
        .filter((target) => MAY_IMPORT[houseOf(file)]?.includes(houseOf(target)) !== true)
        .map((target) => `${file} -> ${target}`),
    )
  assert.deepEqual(wrong, [])
})

test('every folder of src is in the table', () => {
  const unknown = [...new Set(files.map(houseOf))].filter(
    (house) => MAY_IMPORT[house] === undefined && !isTest(house),
  )
  assert.deepEqual(unknown, [])
})

test('siblings never import each other', () => {
  const wrong = files.flatMap((file) => {
    const [house = '', room = ''] = file.split('/')
    if (SIBLINGS[house]?.includes(room) !== true) return []
    return importsOf(file)
      .filter(isLocal)
      .map((specifier) => targetOf(file, specifier).split('/'))
      .filter(
        ([targetHouse, targetRoom = '']) =>
          targetHouse === house && targetRoom !== room && SIBLINGS[house]?.includes(targetRoom),
      )
      .map(([, targetRoom]) => `${house}/${room} -> ${house}/${targetRoom}`)
      .filter((edge) => !SIBLING_EXCEPTIONS.includes(edge))
  })
  assert.deepEqual(wrong, [])
})

test('packages stay in their folders', () => {
  const packageOf = (specifier: string): string =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
  const wrong = files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !isLocal(specifier) && !specifier.startsWith('node:'))
        .map(packageOf)
        .filter((name) => {
          if (builtinModules.includes(name)) return true
          const homes = PACKAGES[name]
          if (homes === undefined) return houseOf(file) !== 'sandbox'
          return !homes.some((home) => file === home || file.startsWith(`${home}/`))
        })
        .map((name) => `${file} -> ${name}`),
    )
  assert.deepEqual(wrong, [])
})

test('no test is left out of the test command', () => {
  const outside = globSync('**/*.test.ts', { cwd: join(root, '..'), exclude: ['node_modules/**'] })
    .map((file) => relative('.', file))
    .filter((file) => !file.startsWith('src/') && !file.startsWith('test/'))
  assert.deepEqual(outside, [])
})
