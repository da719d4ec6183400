import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import { eventually } from 'openrfq/test/eventually.ts'
import { launchChromium, runInPage } from './browser.ts'
import {
  createPackedProject,
  findUnpackedExports,
  lintTarball,
  type PackedProject,
  packPackage,
} from './packed-project.ts'
import { type SandboxService, startSandboxService } from './sandbox-service.ts'

const ROOT = join(import.meta.dirname, '..')
const LIBRARIES = ['viem', '@solana/kit', '@stellar/stellar-sdk', 'react', 'react-dom']
const SANDBOX_URL = 'http://127.0.0.1:8080'
const MOST_SCRIPT_LINES = 12
const MOST_APP_LINES = 15

let project: PackedProject
let sandbox: SandboxService
let react: Awaited<ReturnType<typeof packPackage>>

before(async () => {
  project = createPackedProject()
  const sdk = await packPackage('sdk', project.path)
  react = await packPackage('react', project.path)
  await project.install('--omit=peer', sdk.tarball, react.tarball)
  project.link(...LIBRARIES)
  sandbox = await startSandboxService({ SANDBOX_FAMILIES: 'all' }, ['patient'])
})
after(async () => {
  await sandbox?.stop()
  project?.remove()
})

const textOf = (path: string): string => readFileSync(join(ROOT, 'examples', path), 'utf8')
const linesOf = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length

/** Writes an example into the project, for the sandbox of this test. */
const place = (path: string): string => {
  const text = textOf(path)
  const pointed = text.replaceAll(SANDBOX_URL, sandbox.service.url)
  mkdirSync(join(project.path, path, '..'), { recursive: true })
  project.write(path, pointed)
  return join(project.path, path)
}

test('the script and the app are as short as the documents say, and the READMEs show the script as it is', () => {
  const script = textOf('evm/swap.mjs')
  assert.ok(linesOf(script) <= MOST_SCRIPT_LINES, `${linesOf(script)} lines`)
  const app = linesOf(textOf('react/app.jsx'))
  assert.ok(app <= MOST_APP_LINES, `${app} lines`)
  for (const readme of ['README.md', 'packages/sdk/README.md'])
    assert.ok(readFileSync(join(ROOT, readme), 'utf8').includes(script), readme)
})

test('the package for React holds its build and sources, names packed files only, and passes publint and attw', async () => {
  assert.ok(react.files.includes('dist/index.js') && react.files.includes('dist/index.d.ts'))
  assert.deepEqual(
    react.files.filter((file) => !/^(dist|src)\/|^(LICENSE|README\.md|package\.json)$/.test(file)),
    [],
  )
  assert.deepEqual(findUnpackedExports('react', react.files), [])
  await lintTarball(react.tarball)
})

/** Runs an example, again while the service prices nothing, as on a machine that keeps its solvers waiting. */
const runPriced = (program: string, file: string): Promise<string> =>
  eventually(`${file} finds a quote`, async () => {
    try {
      return await project.run(program, file)
    } catch (error) {
      if (/no_quote|nothing prices/.test(String(error))) return false
      throw error
    }
  })

for (const family of ['evm', 'solana', 'stellar'] as const)
  test(`the example for ${family} executes a transfer`, async () => {
    const printed = await runPriced('node', place(`${family}/swap.mjs`))
    assert.match(printed, /^(quoted\nrefused\n)*quoted\nguarded\nsimulated\nsent\nincluded\n/)
    assert.match(printed, /^started\n(status\n)+DONE \d+$/m)
  })

test('the example for Python executes a transfer over HTTP', async () => {
  assert.match(await runPriced('python3', place('python/swap.py')), /^DONE \d+$/m)
})

/** Presses the button once there is a price, and prints what the status component says. */
const PRESS = `
  let pressed = false
  let last = ''
  setInterval(() => {
    const button = document.querySelector('button')
    if (!pressed && /\\d/.test(button?.textContent ?? '')) { pressed = true; button.click() }
    const shown = document.querySelector('[data-state]')
    const said = shown?.querySelector('[role=status]')?.textContent ?? ''
    const stages = [...(shown?.querySelectorAll('li[data-standing=done] strong') ?? [])]
    if (said !== last) { last = said; console.log([shown?.dataset.state, said, ...stages.map(({ textContent }) => textContent)].join('|')) }
  }, 100)
`

test('the example for React shows a price, executes a transfer and shows its end', async () => {
  place('react/app.jsx')
  const { outputFiles } = await build({
    entryPoints: [place('react/main.jsx')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
  const browser = await launchChromium()
  try {
    const program = `${outputFiles[0]?.text ?? ''}\n${PRESS}`
    const line = await runInPage(browser, {
      program,
      before: '',
      until: /^(DONE.Done|REFUND|FAILED|NOT_FOUND)/,
    })
    const [source, destination] = ['Sandbox A', 'Sandbox B']
    assert.deepEqual(line.split('|'), [
      ...['DONE', `Done. The recipient has the money on ${destination}.`],
      ...['Quote given', `Paid on ${source}`, 'Crossing', `Delivered on ${destination}`],
    ])
  } finally {
    await browser.close()
  }
})
