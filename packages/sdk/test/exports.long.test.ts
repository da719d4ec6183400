import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../../..')
const SOURCES = join(import.meta.dirname, '../src')
const ENTRIES = {
  '': 'index.ts',
  '/evm': 'evm/index.ts',
  '/solana': 'solana/index.ts',
  '/stellar': 'stellar/index.ts',
  '/axelar': 'axelar/index.ts',
}
/** A lower count would mean that the search failed. */
const FEWEST_EXPORTS = 80
const COMPILE_DEADLINE_MS = 120_000

/** An export with the comment before its declaration, and the code of the comment's `@example`. */
type Exported = {
  readonly name: string
  readonly entry: string
  readonly comment: string | undefined
  readonly example: string | undefined
}

const exportsOf = (entry: string, file: string): readonly Exported[] => {
  const path = join(SOURCES, file)
  const lists = [...readFileSync(path, 'utf8').matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)]
  return lists.flatMap(([, names = '', source = '']) => {
    const text = readFileSync(join(dirname(path), source), 'utf8')
    return names
      .split(',')
      .map((name) => name.replace('type ', '').trim())
      .filter((name) => name !== '')
      .map((name) => describeExport(name, entry, text))
  })
}

const describeExport = (name: string, entry: string, text: string): Exported => {
  const declared = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:const|type|class) ${name}\\b`)
  const comment = declared
    .exec(text)?.[1]
    ?.replaceAll(/^ \* ?/gm, '')
    .trim()
  const example = comment?.split('@example')[1]?.trim()
  return { name, entry, comment, example }
}

const EXPORTED = Object.entries(ENTRIES).flatMap(([entry, file]) => exportsOf(entry, file))

test('the entries export exactly the listed names', async () => {
  for (const [entry, file] of Object.entries(ENTRIES)) {
    const listed = EXPORTED.filter((exported) => exported.entry === entry).map(({ name }) => name)
    const values = Object.keys(await import(join(SOURCES, file)))
    assert.deepEqual(
      values.filter((name) => !listed.includes(name)),
      [],
    )
    assert.doesNotMatch(readFileSync(join(SOURCES, file), 'utf8'), /export \*/)
  }
})

test('every export has a documentation sentence and an example', () => {
  assert.ok(EXPORTED.length >= FEWEST_EXPORTS, `found only ${EXPORTED.length} exports`)
  for (const { name, comment, example } of EXPORTED) {
    assert.match(comment ?? '', /^[A-Z][^@]+\./, `${name} has no sentence`)
    assert.ok(example !== undefined, `${name} has no example`)
    assert.match(example, new RegExp(`\\b${name}\\b`), `the example of ${name} does not show it`)
  }
})

/** Imports that examples may take from the families' libraries. */
const LIBRARIES = [
  "import { type Account, createPublicClient, createWalletClient, http, type Transport } from 'viem'",
  "import { privateKeyToAccount } from 'viem/accounts'",
  "import { createSolanaRpc, createSolanaRpcSubscriptions, type KeyPairSigner } from '@solana/kit'",
]

const IMPORTS = Object.keys(ENTRIES).map((entry) => {
  const names = EXPORTED.filter((exported) => exported.entry === entry).map(({ name }) => name)
  return `import { ${names.join(', ')} } from '@openrfq/sdk${entry}'`
})

const moduleOf = (code: string | undefined): string =>
  [...IMPORTS, ...LIBRARIES, code, 'export {}'].join('\n')

/** What an application has at hand in the README's blocks without imports. */
const AT_HAND = [
  'declare const quote: Quote',
  'declare const { walletClient, publicClient }: EvmWallet',
  'declare const { signer, rpc, rpcSubscriptions }: SolanaWallet',
  'declare const { address, signTransaction, rpcUrl }: StellarWallet',
]

/** The README's TypeScript blocks as modules. */
const README_MODULES = [
  ...readFileSync(join(SOURCES, '../README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, code = '']) => (code.startsWith('import ') ? code : moduleOf([...AT_HAND, code].join('\n'))))

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  lib: ['es2023', 'dom'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  customConditions: ['openrfq-source'],
}

test("every example and every block of the package's README compiles as it stands, in a strict project without the types of Node", async () => {
  // Inside node_modules, so that the repository's packages resolve by name.
  const directory = mkdtempSync(join(ROOT, 'node_modules/.sdk-examples-'))
  try {
    assert.equal(README_MODULES.length, 3)
    const examples = EXPORTED.map(({ name, example }) => [name, moduleOf(example)] as const)
    const blocks = README_MODULES.map((text) => ['README', text] as const)
    const files = [...examples, ...blocks].map(([name, text], index) => {
      const file = `${index}-${name}.ts`
      writeFileSync(join(directory, file), text)
      return file
    })
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }),
    )
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', directory], {
      timeout: COMPILE_DEADLINE_MS,
    }).catch(({ stdout, message }) => assert.fail(stdout === '' ? message : stdout))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
