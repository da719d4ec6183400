import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const PROGRAM = `console.log(JSON.stringify({ id: process.pid, words: process.argv.slice(2), options: process.env.NODE_OPTIONS }))
if (process.argv[2] === 'wait') setInterval(() => undefined, 1000)
process.exitCode = 7`
const Said = z.object({ id: z.int(), words: z.array(z.string()), options: z.string() })

const ANVIL = '@foundry-rs/anvil-linux-amd64'
const INSTALLED: Readonly<Record<string, object>> = {
  'node_modules/node': { version: '24.0.0', integrity: 'sha512-n' },
  'node_modules/zod': { version: '4.0.0', integrity: 'sha512-z' },
  'node_modules/litesvm': { version: '1.0.0', integrity: 'sha512-l' },
  [`node_modules/${ANVIL}`]: { version: '1.7.1', integrity: 'sha512-a', optional: true },
}
const without = (...names: readonly string[]): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(INSTALLED).filter(([path]) => !names.some((name) => path === `node_modules/${name}`)),
  )

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const write = (file: string, content: object | string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

type Clone = { readonly installed?: Readonly<Record<string, object>> | null; readonly pinned?: string }

/** A clone of three packages whose programs print how they were started; `null` installs nothing. */
const createClone = ({ installed = INSTALLED, pinned = '24.0.0' }: Clone = {}): string => {
  const root = mkdtempSync(join(tmpdir(), 'openrfq-clone-'))
  folders.push(root)
  for (const file of ['run.cjs', 'bundle.cjs', 'build-bundle.cjs', 'preflight.cjs', 'end-with-starter.cjs'])
    cpSync(join(import.meta.dirname, file), join(root, 'scripts', file))
  write(join(root, 'package.json'), { devDependencies: { 'fast-check': '4.0.0' } })
  write(join(root, 'package-lock.json'), { packages: INSTALLED })
  write(join(root, 'packages/service/package.json'), {
    type: 'module',
    dependencies: { node: pinned, zod: '4.0.0' },
  })
  write(join(root, 'packages/sandbox/package.json'), {
    dependencies: { litesvm: '1.0.0' },
    optionalDependencies: { [ANVIL]: '1.7.1' },
  })
  for (const name of ['service', 'sandbox']) write(join(root, `packages/${name}/src/main.ts`), PROGRAM)
  if (installed === null) return root
  write(join(root, 'node_modules/.package-lock.json'), { packages: installed })
  if (`node_modules/${ANVIL}` in installed) write(join(root, 'node_modules', ANVIL, 'bin/anvil'), '')
  return root
}

const PROBLEMS: readonly {
  readonly name: string
  readonly clone?: Clone
  readonly program?: string
  readonly network?: string
  readonly system?: { readonly platform: string; readonly arch: string }
  readonly says: RegExp
}[] = [
  {
    name: 'nothing is installed',
    clone: { installed: null },
    says: /^The dependencies are not installed: run `npm ci`\.\n$/,
  },
  {
    name: 'another version is installed than the lock file names',
    clone: { installed: { ...INSTALLED, 'node_modules/zod': { version: '3.0.0', integrity: 'sha512-3' } } },
    says: /^node_modules does not match package-lock\.json \(node_modules\/zod\): run `npm ci`\.\n$/,
  },
  {
    name: 'a package is installed that the lock file does not name',
    clone: { installed: { ...INSTALLED, 'node_modules/left': { version: '3.0.0' } } },
    says: /^node_modules does not match package-lock\.json \(node_modules\/left\): run `npm ci`\.\n$/,
  },
  {
    name: 'a production install is to run the sandbox',
    clone: { installed: without('litesvm', ANVIL) },
    says: /^litesvm is not installed, which the sandbox needs: .*RFQ_CONFIG.*\.\n$/,
  },
  {
    name: 'an install without development dependencies is to run the tests',
    program: 'test',
    says: /^fast-check is not installed, which development needs: run `npm ci` without --omit and -w\.\n$/,
  },
  {
    name: 'install scripts are off and Node is too old',
    clone: { pinned: '99.1.0' },
    network: 'network.json',
    says: /^Node \S+ is too old, and npm's install scripts, which bring Node 99\.1\.0, are off: run `npm rebuild node --ignore-scripts=false`, or use Node 99 or later\.\n$/,
  },
  {
    name: 'anvil is left out on Linux x64',
    clone: { installed: without(ANVIL) },
    system: { platform: 'linux', arch: 'x64' },
    says: /^The sandbox needs anvil, which is not installed: run `npm ci` without --omit=optional\.\n$/,
  },
  {
    name: 'npm has no anvil for the system',
    clone: { installed: without(ANVIL) },
    system: { platform: 'darwin', arch: 'arm64' },
    says: /^The sandbox needs anvil 1\.7\.1, which npm brings on Linux x64 only: .*foundryup.*RFQ_CONFIG.*\.\n$/,
  },
  {
    name: 'the sandbox is to run on Windows itself',
    clone: { installed: without(ANVIL) },
    system: { platform: 'win32', arch: 'x64' },
    says: /^The sandbox does not run on Windows itself: use WSL2, or set RFQ_CONFIG to a network file\.\n$/,
  },
  { name: 'there is no such program', program: 'strat', says: /^No program "strat": expected start, / },
]

for (const { name, clone, program = 'start', network, system, says } of PROBLEMS)
  test(`prints one sentence and exits with 1 when ${name}`, () => {
    const root = createClone(clone)
    const properties = Object.entries(system ?? {}).map(([key, value]) => `${key}: { value: '${value}' }`)
    write(join(root, 'system.cjs'), `Object.defineProperties(process, { ${properties.join()} })`)
    const words = ['--require', join(root, 'system.cjs'), join(root, 'scripts/run.cjs'), program]
    const env = { PATH: '/nowhere', ...(network === undefined ? {} : { RFQ_CONFIG: network }) }
    const { status, stderr, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', env })
    assert.match(stderr, says)
    assert.equal(stderr.split('\n').length, 2)
    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
  })

test('accepts an anvil on the path', () => {
  const root = createClone({ installed: without(ANVIL) })
  write(join(root, 'bin/anvil'), '')
  spawnSync('chmod', ['+x', join(root, 'bin/anvil')])
  const words = [join(root, 'scripts/run.cjs'), 'start']
  assert.equal(spawnSync(process.execPath, words, { env: { PATH: join(root, 'bin') } }).status, 7)
})

/** A clone with esbuild, whose service prints a word and where it does so. */
const createBundled = (word: string): string => {
  const root = createClone()
  for (const name of ['esbuild', '@esbuild'])
    symlinkSync(join(import.meta.dirname, '../node_modules', name), join(root, 'node_modules', name))
  for (const name of ['contracts', 'sdk']) mkdirSync(join(root, `packages/${name}/src`), { recursive: true })
  for (const file of ['cli/rfq.ts', 'cli/roles.ts', 'store/sqlite-writer.ts'])
    write(join(root, 'packages/service/src', file), '')
  write(join(root, 'test/quick-sandbox.ts'), '')
  writeService(root, word)
  return root
}

const writeService = (root: string, word: string): void =>
  write(
    join(root, 'packages/service/src/main.ts'),
    `const word: string = '${word}'
console.log(word, process.argv[1]?.endsWith('.mjs'), import.meta.dirname.endsWith('src'), new Error('here').stack)`,
  )

/** Starts the service of a clone, and returns what it prints. */
const serve = async (root: string): Promise<{ readonly printed: string; readonly complaint: string }> => {
  const child = spawn(process.execPath, [join(root, 'scripts/run.cjs'), 'serve'])
  const [printed, complaint] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  return { printed: printed.join(''), complaint: complaint.join('') }
}

const bundlesIn = (root: string): readonly string[] => readdirSync(join(root, 'node_modules/.cache/openrfq'))

test('starts a program from a bundle that names its sources, and builds another when a source changes', async () => {
  const root = createBundled('before')
  const first = await serve(root)
  assert.match(first.printed, /^before true true Error: here\n.*packages\/service\/src\/main\.ts:2:/)
  await serve(root)
  assert.equal(bundlesIn(root).length, 1)
  writeService(root, 'after')
  assert.match((await serve(root)).printed, /^after true /)
  assert.equal(bundlesIn(root).length, 2)
})

test('builds another bundle when the exports of a package change', async () => {
  const root = createBundled('word')
  await serve(root)
  const file = join(root, 'packages/service/package.json')
  const exported = { './word': { 'openrfq-source': './src/word.ts' } }
  write(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), exports: exported }))
  await serve(root)
  assert.equal(bundlesIn(root).length, 2)
})

test('two first starts at once leave one bundle', async () => {
  const root = createBundled('word')
  for (const { printed, complaint } of await Promise.all([serve(root), serve(root)])) {
    assert.match(printed, /^word true /)
    assert.equal(complaint, '')
  }
  assert.match(bundlesIn(root).join(), /^[0-9a-f]{32}$/)
})

test('starts a program from its sources where no bundle can be written, and says so', async () => {
  const root = createBundled('word')
  write(join(root, 'node_modules/.cache'), '')
  const { printed, complaint } = await serve(root)
  assert.match(printed, /^word false /)
  assert.match(complaint, /^The programs start slower, from their sources: .+\n$/)
})

/** Ways to find the pinned Node: as the running one, which is replaced, and as another, which runs as a child. */
const NODES: readonly { readonly way: string; readonly place: (file: string) => void }[] = [
  { way: 'by the running Node', place: (file) => symlinkSync(process.execPath, file) },
  { way: 'by another Node', place: (file) => cpSync(process.execPath, file) },
]

const ENDINGS: readonly { readonly signal: NodeJS.Signals; readonly to: 'launcher' | 'program' }[] = [
  { signal: 'SIGTERM', to: 'launcher' },
  { signal: 'SIGINT', to: 'launcher' },
  { signal: 'SIGHUP', to: 'launcher' },
  { signal: 'SIGKILL', to: 'launcher' },
  { signal: 'SIGTERM', to: 'program' },
  { signal: 'SIGKILL', to: 'program' },
]

const isAlive = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

for (const { way, place } of NODES)
  test(`starts a program ${way} with its arguments and the condition, and returns its exit code`, async (t) => {
    const root = createClone()
    mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
    place(join(root, 'node_modules/node/bin/node'))
    const start = (...words: readonly string[]) =>
      spawn(process.execPath, [join(root, 'scripts/run.cjs'), 'serve', ...words], {
        env: { NODE_OPTIONS: '--no-warnings' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const launcher = start('one', '--two=3 4')
    const said = Said.parse(JSON.parse(String(await once(launcher.stdout, 'data'))))
    assert.deepEqual(said.words, ['one', '--two=3 4'])
    assert.equal(said.options, '--no-warnings --conditions=openrfq-source')
    assert.deepEqual(await once(launcher, 'exit'), [7, null])

    for (const { signal, to } of ENDINGS)
      await t.test(`passes ${signal} to the ${to}`, async () => {
        const launcher = start('wait')
        const { id } = Said.parse(JSON.parse(String(await once(launcher.stdout, 'data'))))
        const ended = once(launcher, 'exit')
        process.kill(to === 'launcher' ? (launcher.pid ?? assert.fail()) : id, signal)
        assert.deepEqual(await ended, [null, signal])
        for (let attempt = 0; isAlive(id) && attempt < 600; attempt += 1) await delay(100)
        assert.equal(isAlive(id), false)
      })
  })
