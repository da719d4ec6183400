import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
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
const README = readFileSync(join(ROOT, 'packages/sdk/README.md'), 'utf8')
const VIEM = 'viem@2.57.1'
/** npm's Node packages for this platform, for each promised major version. */
const NODES = ['20.20.2', '22.23.3', '24.21.0'].map((version) => ({
  alias: `node-${version.split('.')[0]}`,
  spec: `node-${process.platform}-${process.arch}@${version}`,
}))
const MOST_LINES = 15

let packed: Awaited<ReturnType<typeof packPackage>>
let project: PackedProject
let sandbox: SandboxService

before(async () => {
  project = createPackedProject()
  packed = await packPackage('sdk', project.path)
  await project.install(packed.tarball)
  sandbox = await startSandboxService({ SANDBOX_FAMILIES: 'all' })
})
after(async () => {
  await sandbox?.stop()
  project?.remove()
})

/** The README's program, adapted to this test's sandbox. */
const readmeProgram = (): string => {
  const program = /```ts\n([\s\S]*?)```/.exec(README)?.[1]
  assert.ok(program !== undefined)
  const lines = program.split('\n').filter((line) => line.trim() !== '')
  assert.ok(lines.length <= MOST_LINES, `${lines.length} lines`)
  const pointed = program.replaceAll('http://127.0.0.1:8080', sandbox.service.url)
  assert.notEqual(pointed, program)
  return pointed
}

test('the package holds its build and sources, and no tests', () => {
  assert.ok(packed.files.includes('dist/index.js') && packed.files.includes('dist/index.d.ts'))
  assert.ok(packed.files.includes('LICENSE') && packed.files.includes('README.md'))
  const foreign = packed.files.filter(
    (file) =>
      /(^|\/)test\/|\.test\./.test(file) || !/^(dist|src)\/|^(LICENSE|README\.md|package\.json)$/.test(file),
  )
  assert.deepEqual(foreign, [])
})

test('the exports name packed files only', () => {
  assert.deepEqual(findUnpackedExports('sdk', packed.files), [])
})

test('publint and attw report no problems', () => lintTarball(packed.tarball))

test('installed alone it brings two small packages, and names the library that a family lacks', async () => {
  assert.deepEqual(project.installed().toSorted(), ['@noble/hashes', '@openrfq/sdk', 'zod'])
  const found = "import('@openrfq/sdk').then((sdk) => console.log(typeof sdk.createClient))"
  assert.equal((await project.run('node', '-e', found)).trim(), 'function')
  for (const [family, library] of [
    ['evm', 'viem'],
    ['solana', '@solana/kit'],
  ] as const)
    await assert.rejects(
      project.run('node', '-e', `import('@openrfq/sdk/${family}')`),
      new RegExp(`'${library}'`),
    )
})

test("the README's program executes a transfer on Node 20, 22 and 24", async () => {
  await project.install(VIEM, ...NODES.map(({ alias, spec }) => `${alias}@npm:${spec}`))
  project.write('program.mjs', readmeProgram())
  for (const { alias } of NODES) {
    const node = join(project.path, 'node_modules', alias, 'bin/node')
    const version = await project.run(node, '-p', 'process.versions.node')
    assert.match(version, new RegExp(`^${alias.replace('node-', '')}\\.`))
    assert.match(await project.run(node, 'program.mjs'), /^DONE \d+$/m, version)
  }
})

test("the README's program compiles in strict projects with TypeScript 7 and 5.9", async () => {
  await project.install('typescript-5@npm:typescript@5.9.3', 'typescript-7@npm:typescript@7.0.2')
  project.write('program.ts', readmeProgram())
  const common = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  }
  const options = { ...common, target: 'es2022', lib: ['es2023', 'dom'], types: [], skipLibCheck: false }
  for (const version of ['5', '7'])
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const compilerOptions = { ...options, module, moduleResolution }
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }))
      await project.run('node', `node_modules/typescript-${version}/bin/tsc`, '-p', '.')
    }
})

/** Removes functions that browsers before 2024, and present Safari, lack. */
const OLD_BROWSER = `
  delete ReadableStream.prototype[Symbol.asyncIterator]
  delete ReadableStream.prototype.values
  delete AbortSignal.any
  delete AbortSignal.timeout
`

const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project.path, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

test("the README's program executes a transfer in Chromium, from a page of another origin", async () => {
  const browser = await launchChromium()
  try {
    const program = await bundled(readmeProgram())
    const line = await runInPage(browser, { program, before: OLD_BROWSER, until: /^(DONE|REFUND|FAILED)/ })
    assert.match(line, /^DONE \d+$/)
  } finally {
    await browser.close()
  }
})

/** Executes a transfer between two families in a page, with the source family's wallet. */
const familyProgram = (from: string, to: string): string => `
  import { createClient } from '@openrfq/sdk'
  import { connectEvm, executeEvmQuote } from '@openrfq/sdk/evm'
  import { connectSolana, executeSolanaQuote } from '@openrfq/sdk/solana'
  import { connectStellar, executeStellarQuote } from '@openrfq/sdk/stellar'

  const baseUrl = '${sandbox.service.url}'
  const { accounts, chains, tokens } = await (await fetch(baseUrl + '/sandbox')).json()
  const chainOf = (family) => chains.find(({ chainType }) => chainType === family)
  const accountOf = (family) => accounts.find(({ chainType }) => chainType === family)
  const usdcOf = ({ chainId }) => tokens.find((token) => token.chainId === chainId && token.symbol === 'USDC').address
  const [source, destination] = [chainOf('${from}'), chainOf('${to}')]
  const { privateKey, address } = accountOf('${from}')
  const client = createClient({ baseUrl })
  const [quote] = await client.getQuotes({
    fromChain: source.chainId, fromToken: usdcOf(source), toChain: destination.chainId, toToken: usdcOf(destination),
    amount: 250_000_000n, orderType: 'EXACT_INPUT', sender: address, recipient: accountOf('${to}').address,
  })
  const network = {
    rpcUrl: source.rpcUrl, passphrase: source.networkPassphrase,
    assets: tokens.flatMap(({ chainId, stellar }) => chainId === source.chainId && stellar ? [stellar] : []),
  }
  const start = {
    evm: () => executeEvmQuote({ quote, ...connectEvm(privateKey, source.rpcUrl) }),
    solana: async () =>
      executeSolanaQuote({ quote, ...(await connectSolana(privateKey, source.rpcUrl, source.subscriptionsUrl)) }),
    stellar: async () => executeStellarQuote({ quote, ...(await connectStellar(privateKey, network)) }),
  }
  const { status } = await client.waitForTransfer(await start['${from}']())
  console.log(status?.state, status?.output?.amount)
`

test('wallets of all families start transfers in Chromium', async () => {
  await project.install('@solana/kit@8.4.0', '@stellar/stellar-sdk@17.2.0')
  const browser = await launchChromium()
  try {
    for (const [from, to] of [
      ['solana', 'stellar'],
      ['stellar', 'evm'],
      ['evm', 'solana'],
    ] as const) {
      const program = await bundled(familyProgram(from, to))
      const line = await runInPage(browser, { program, before: OLD_BROWSER, until: /^(DONE|REFUND|FAILED)/ })
      assert.match(line, /^DONE \d+$/, `${from} to ${to}`)
    }
  } finally {
    await browser.close()
  }
})
