import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { hasComputedImport } from './computed-imports.ts'
import { cruise, installTools, readRules } from './cruise.ts'
import { measuredTimes } from './wall-time.ts'

const SERVICE = 'packages/service/src'
const SANDBOX = 'packages/sandbox/src'
const SDK = 'packages/sdk/src'

/** An import of a file by its path in the repository, or of a package by its name. */
type Import = { readonly from: string; readonly to: string }

/** For each rule an import that breaks only this rule. */
const FORBIDDEN: readonly (Import & { readonly rule: string })[] = [
  { rule: 'service-lib', from: `${SERVICE}/lib/a.ts`, to: `${SERVICE}/core/a.ts` },
  { rule: 'service-core', from: `${SERVICE}/core/b.ts`, to: `${SERVICE}/store/a.ts` },
  { rule: 'service-chains', from: `${SERVICE}/chains/b.ts`, to: `${SERVICE}/store/a.ts` },
  { rule: 'service-pricing', from: `${SERVICE}/pricing/b.ts`, to: `${SERVICE}/chains/a.ts` },
  { rule: 'service-store', from: `${SERVICE}/store/b.ts`, to: `${SERVICE}/pricing/a.ts` },
  { rule: 'service-protocols', from: `${SERVICE}/protocols/b.ts`, to: `${SERVICE}/transactions/a.ts` },
  { rule: 'service-registry', from: `${SERVICE}/registry/b.ts`, to: `${SERVICE}/protocols/a.ts` },
  { rule: 'service-transactions', from: `${SERVICE}/transactions/b.ts`, to: `${SERVICE}/protocols/a.ts` },
  { rule: 'service-intents', from: `${SERVICE}/intents/b.ts`, to: `${SERVICE}/backends/a.ts` },
  { rule: 'service-backends', from: `${SERVICE}/backends/b.ts`, to: `${SERVICE}/service/a.ts` },
  { rule: 'service-service', from: `${SERVICE}/service/b.ts`, to: `${SERVICE}/http/a.ts` },
  { rule: 'service-webhooks', from: `${SERVICE}/webhooks/b.ts`, to: `${SERVICE}/service/a.ts` },
  { rule: 'service-http', from: `${SERVICE}/http/b.ts`, to: `${SERVICE}/store/a.ts` },
  { rule: 'service-http', from: `${SERVICE}/http/c.ts`, to: `${SERVICE}/intents/solver/a.ts` },
  { rule: 'service-cli', from: `${SERVICE}/cli/b.ts`, to: `${SERVICE}/store/a.ts` },
  { rule: 'service-app', from: `${SERVICE}/app/b.ts`, to: `${SERVICE}/cli/a.ts` },
  { rule: 'service-main.ts', from: `${SERVICE}/main.ts`, to: `${SERVICE}/store/a.ts` },
  { rule: 'siblings-chains', from: `${SERVICE}/chains/rpc/b.ts`, to: `${SERVICE}/chains/evm/a.ts` },
  { rule: 'siblings-chains', from: `${SERVICE}/chains/evm/b.ts`, to: `${SERVICE}/chains/solana/a.ts` },
  { rule: 'siblings-chains', from: `${SERVICE}/chains/solana/b.ts`, to: `${SERVICE}/chains/stellar/a.ts` },
  { rule: 'siblings-chains', from: `${SERVICE}/chains/stellar/b.ts`, to: `${SERVICE}/chains/evm/a.ts` },
  {
    rule: 'siblings-protocols',
    from: `${SERVICE}/protocols/axelar/b.ts`,
    to: `${SERVICE}/protocols/uniswap-v3/a.ts`,
  },
  { rule: 'intents-settlers', from: `${SERVICE}/intents/settlers/b.ts`, to: `${SERVICE}/intents/vault/a.ts` },
  {
    rule: 'intents-solver-api',
    from: `${SERVICE}/intents/solver-api/b.ts`,
    to: `${SERVICE}/intents/solver/a.ts`,
  },
  { rule: 'intents-vault', from: `${SERVICE}/intents/vault/b.ts`, to: `${SERVICE}/intents/solver/a.ts` },
  {
    rule: 'intents-attester',
    from: `${SERVICE}/intents/attester/b.ts`,
    to: `${SERVICE}/intents/solver/a.ts`,
  },
  {
    rule: 'intents-cosigner',
    from: `${SERVICE}/intents/cosigner/b.ts`,
    to: `${SERVICE}/intents/solver/a.ts`,
  },
  { rule: 'intents-opener', from: `${SERVICE}/intents/opener/b.ts`, to: `${SERVICE}/intents/solver/a.ts` },
  { rule: 'intents-solver', from: `${SERVICE}/intents/solver/b.ts`, to: `${SERVICE}/intents/vault/a.ts` },
  { rule: 'siblings-backends', from: `${SERVICE}/backends/its/b.ts`, to: `${SERVICE}/backends/gateway/a.ts` },
  { rule: 'siblings-backends', from: `${SERVICE}/backends/new/b.ts`, to: `${SERVICE}/backends/its/a.ts` },
  {
    rule: 'siblings-of-backends/gateway',
    from: `${SERVICE}/backends/gateway/b.ts`,
    to: `${SERVICE}/backends/new/a.ts`,
  },
  {
    rule: 'siblings-of-backends/gateway-express',
    from: `${SERVICE}/backends/gateway-express/b.ts`,
    to: `${SERVICE}/backends/its/a.ts`,
  },
  { rule: 'package-@noble/hashes', from: `${SDK}/evm/c.ts`, to: '@noble/hashes' },
  { rule: 'package-@scure/base', from: `${SERVICE}/core/c.ts`, to: '@scure/base' },
  { rule: 'package-@solana/kit', from: `${SERVICE}/chains/evm/c.ts`, to: '@solana/kit' },
  { rule: 'package-@solana/kit', from: `${SDK}/evm/c.ts`, to: '@solana/kit' },
  { rule: 'package-@stellar/stellar-sdk', from: `${SERVICE}/intents/vault/c.ts`, to: '@stellar/stellar-sdk' },
  { rule: 'package-hash-wasm', from: `${SERVICE}/lib/c.ts`, to: 'hash-wasm' },
  { rule: 'package-pg', from: `${SERVICE}/app/c.ts`, to: 'pg' },
  { rule: 'package-pino', from: `${SERVICE}/http/d.ts`, to: 'pino' },
  { rule: 'package-fastify', from: `${SERVICE}/service/fastify.ts`, to: 'fastify' },
  {
    rule: 'package-@fastify/rate-limit',
    from: `${SERVICE}/service/rate-limit.ts`,
    to: '@fastify/rate-limit',
  },
  { rule: 'package-@fastify/websocket', from: `${SERVICE}/service/websocket.ts`, to: '@fastify/websocket' },
  { rule: 'package-prom-client', from: `${SERVICE}/service/c.ts`, to: 'prom-client' },
  { rule: 'package-qr', from: `${SERVICE}/http/e.ts`, to: 'qr' },
  { rule: 'package-quick-lru', from: `${SERVICE}/core/d.ts`, to: 'quick-lru' },
  { rule: 'package-tiny-secp256k1', from: `${SERVICE}/core/e.ts`, to: 'tiny-secp256k1' },
  { rule: 'package-undici', from: `${SERVICE}/chains/rpc/c.ts`, to: 'undici' },
  { rule: 'package-viem', from: `${SERVICE}/core/f.ts`, to: 'viem' },
  { rule: 'package-viem', from: `${SERVICE}/chains/solana/c.ts`, to: 'viem/utils' },
  { rule: 'package-viem', from: `${SDK}/c.ts`, to: 'viem' },
  { rule: 'package-ws', from: `${SERVICE}/intents/solver-api/c.ts`, to: 'ws' },
  { rule: 'package-zod', from: `${SERVICE}/service/d.ts`, to: 'zod' },
  { rule: 'package-unlisted', from: `${SERVICE}/core/g.ts`, to: 'unlisted' },
  { rule: 'folder-unlisted', from: `${SERVICE}/utils/b.ts`, to: `${SERVICE}/utils/a.ts` },
  { rule: 'folder-unlisted', from: `${SERVICE}/core/h.test.ts`, to: `${SERVICE}/helper.ts` },
  { rule: 'sdk-alone', from: `${SDK}/d.ts`, to: 'openrfq/network' },
  { rule: 'sdk-in-browsers', from: `${SDK}/e.ts`, to: 'node:timers/promises' },
  { rule: 'service-without-sandbox', from: `${SERVICE}/cli/c.ts`, to: '@openrfq/sandbox' },
  { rule: 'public-files', from: `${SANDBOX}/c.ts`, to: 'openrfq/src/store/a.ts' },
  { rule: 'package-by-name', from: `${SANDBOX}/d.ts`, to: `${SERVICE}/core/network.ts` },
  { rule: 'package-by-name', from: `${SDK}/f.test.ts`, to: 'test/wallet.ts' },
  { rule: 'package-by-name-from-root', from: 'test/a.test.ts', to: `${SERVICE}/core/a.ts` },
  { rule: 'package-by-name-from-root', from: 'bench/a.ts', to: `${SDK}/index.ts` },
  { rule: 'no-tests', from: `${SERVICE}/core/i.ts`, to: `${SERVICE}/core/a.test.ts` },
  { rule: 'no-tests', from: `${SERVICE}/core/j.ts`, to: 'packages/service/test/chain.ts' },
  { rule: 'no-cycle', from: `${SERVICE}/core/k.ts`, to: `${SERVICE}/core/l.ts` },
  { rule: 'resolvable', from: `${SERVICE}/core/m.ts`, to: `${SERVICE}/core/gone.ts` },
  { rule: 'resolvable', from: 'test/b.test.ts', to: '@openrfq/sdk/src/index.ts' },
]

/** A cycle is reported at one of its modules. */
const CLOSES_CYCLE: Import = { from: `${SERVICE}/core/l.ts`, to: `${SERVICE}/core/k.ts` }

const ALLOWED: readonly Import[] = [
  { from: `${SERVICE}/core/n.ts`, to: `${SERVICE}/lib/z.ts` },
  { from: `${SERVICE}/core/n.ts`, to: '@openrfq/sdk' },
  { from: `${SERVICE}/core/n.test.ts`, to: `${SERVICE}/http/a.ts` },
  { from: `${SERVICE}/core/n.test.ts`, to: 'viem' },
  { from: `${SERVICE}/core/n.test.ts`, to: '@openrfq/sandbox' },
  { from: `${SERVICE}/lib/n.ts`, to: 'node:timers/promises' },
  { from: `${SERVICE}/chains/evm/n.ts`, to: `${SERVICE}/chains/rpc/a.ts` },
  { from: `${SERVICE}/chains/evm/n.ts`, to: `${SERVICE}/chains/a.ts` },
  { from: `${SERVICE}/backends/n.ts`, to: `${SERVICE}/backends/its/a.ts` },
  { from: `${SERVICE}/backends/gateway-express/n.ts`, to: `${SERVICE}/backends/router/a.ts` },
  { from: `${SERVICE}/http/n.ts`, to: `${SERVICE}/intents/solver-api/a.ts` },
  { from: `${SERVICE}/main.ts`, to: `${SERVICE}/app/a.ts` },
  { from: `${SDK}/evm/n.ts`, to: 'viem' },
  { from: `${SANDBOX}/n.ts`, to: 'openrfq/network' },
  { from: `${SANDBOX}/n.ts`, to: 'unlisted' },
  { from: `${SANDBOX}/n.test.ts`, to: 'openrfq/src/store/a.ts' },
  { from: 'test/n.test.ts', to: 'openrfq/src/core/a.ts' },
  { from: 'test/n.test.ts', to: 'test/wallet.ts' },
]

const isFile = (name: string): boolean => /^(packages|test|bench)\//.test(name)
const packageOf = (name: string): string => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? assert.fail(name)

const specifier = ({ from, to }: Import): string => {
  if (!isFile(to)) return to
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

const write = (root: string, path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const EXPORTS: Readonly<Record<string, object>> = {
  sdk: { '.': { 'openrfq-source': './src/index.ts' } },
  sandbox: { '.': { 'openrfq-source': './src/index.ts' } },
  service: {
    './network': { 'openrfq-source': './src/core/network.ts' },
    './src/*': { 'openrfq-source': './src/*' },
  },
}
const NAMES: Readonly<Record<string, string>> = {
  sdk: '@openrfq/sdk',
  sandbox: '@openrfq/sandbox',
  service: 'openrfq',
}

/** Creates a repository with these imports: every imported file exists, except the one that is gone. */
const plant = (root: string, imports: readonly Import[]): void => {
  for (const folder of ['test', 'bench']) write(root, `${folder}/empty.ts`, 'export {}')
  for (const [folder, exports] of Object.entries(EXPORTS)) {
    const name = NAMES[folder] ?? assert.fail(folder)
    write(root, `packages/${folder}/package.json`, JSON.stringify({ name, exports }))
    write(root, `packages/${folder}/src/index.ts`, 'export {}')
    mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true })
    symlinkSync(join(root, 'packages', folder), join(root, 'node_modules', name))
  }
  const workspaces = Object.keys(EXPORTS).map((folder) => `packages/${folder}`)
  write(root, 'package.json', JSON.stringify({ name: 'planted', workspaces }))
  write(root, `${SERVICE}/core/network.ts`, 'export {}')
  const texts = new Map<string, string>()
  for (const line of imports) {
    texts.set(line.from, `${texts.get(line.from) ?? ''}import '${specifier(line)}'\n`)
    if (line.to.startsWith('node:') || line.to.endsWith('/gone.ts')) continue
    if (isFile(line.to)) texts.set(line.to, texts.get(line.to) ?? '')
    else if (!Object.values(NAMES).includes(packageOf(line.to)))
      for (const file of ['index.js', 'utils.js'])
        write(root, `node_modules/${packageOf(line.to)}/${file}`, '')
  }
  for (const [path, text] of texts) write(root, path, `${text}export {}\n`)
}

test('each rule forbids its import and no other', async (t) => {
  installTools()
  const root = mkdtempSync(join(tmpdir(), 'openrfq-structure-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  plant(root, [...FORBIDDEN, CLOSES_CYCLE, ...ALLOWED])
  const { violations, totalCruised } = await cruise(root, ['packages', 'test', 'bench'])
  const found = violations.map(({ rule, from }) => `${rule.name}: ${from}`).toSorted()
  assert.deepEqual(found, FORBIDDEN.map(({ rule, from }) => `${rule}: ${from}`).toSorted())
  assert.ok(totalCruised > FORBIDDEN.length)
})

test('each rule has an import that breaks it', () => {
  assert.deepEqual(
    [...new Set(FORBIDDEN.map(({ rule }) => rule))].toSorted(),
    [...readRules().keys()].toSorted(),
  )
})

const COMPUTED = [
  'await import(name)',
  'import( /* hidden */ name)',
  'import/**/(name)',
  'import(`../store/$' + '{name}.ts`)',
  'import(`../store/a.ts`)',
  "import('../store/' + name)",
  "import('../store/a.ts'.replace('a', name))",
  'import.meta.resolve(name)',
  'require(name)',
  'require.resolve(name)',
  "createRequire(import.meta.url)('pg')",
  'process.getBuiltinModule(name)',
]
const NAMED = [
  "import('../store/a.ts')",
  'import("pg")',
  "import(\n  '../store/a.ts',\n)",
  "import('./a.json', { with: { type: 'json' } })",
  "type Sdk = typeof import('viem')",
  "import { a } from './a.ts'",
  'import.meta.url',
  'important(name)',
]

test('an import by a computed name is recognised', () => {
  assert.deepEqual(COMPUTED.filter(hasComputedImport), COMPUTED)
  assert.deepEqual(NAMED.filter(hasComputedImport), [])
})

const MEASURED = [
  'assert.ok(performance.now() - startedAt < 2_500)',
  'const took = Math.round(Date.now() - began)',
  'const microseconds = Number(process.hrtime.bigint() - from) / 1_000',
  'const started = performance.now()\nawait work()\nconst now = performance.now()\nassert.ok(now - started < 50)',
  'let at: number = Date.now()\nconst later = Date.now()\nreturn later - at',
  'const [from, pair] = [Date.now(), 1]\nconst to = Date.now()\nassert.ok(to - from < 9)',
  'times.sentAt = performance.now()\ntimes.doneAt = performance.now()\nreturn times.doneAt - times.sentAt',
  'assert.ok(Math.abs(head.timestampSeconds - Date.now() / 1_000) < 30)',
  'const secondsSince = (at: number) => (performance.now() - at) / 1_000',
]
const UNMEASURED = [
  'context.diagnostic(`$' + '{Math.round(performance.now() - startedAt)} ms`)',
  'const giveUpAt = performance.now() + GIVE_UP_MS\nif (performance.now() > giveUpAt) throw late',
  'const anHourAgo = Date.now() - 3_600_000',
  'const past = Date.now() - HOUR_MS',
  'const now = Date.now()\nconst past = now - 5_000',
  'const firstSeconds = Math.floor(Date.now() / 1000) - COUNT',
  'const seed = Date.now() % 2 ** 31',
  'const now = (): number => Date.now() + aheadMs',
  'const before = await balance()\nassert.equal((await balance()) - before, 5n)',
]

test('a time that a test measures is recognised, and none that it prints, sets or waits for', () => {
  assert.deepEqual(
    MEASURED.filter((text) => measuredTimes(text).length === 0),
    [],
  )
  assert.deepEqual(UNMEASURED.flatMap(measuredTimes), [])
})
