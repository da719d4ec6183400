import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { fetchJson, type WireQuote } from 'openrfq/test/wallet.ts'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..')
const DEADLINE_MS = 300_000
const POLL_MS = 200
const COMMAND = 'npm ci --omit=dev --omit=optional -w openrfq'
/** Systems other than Linux x64 have a Node of another size. */
const SIZE_TOLERANCE = 0.1
/** Packages that only development and the sandbox need. */
const LEFT_OUT =
  /anvil|litesvm|solc|uniswap|axelar|openzeppelin|@openrfq\/(sandbox|contracts)|biome|knip|fast-check/

const InstalledPackages = z.object({
  packages: z.record(z.string(), z.object({ link: z.boolean().default(false) })),
})

const root = mkdtempSync(join(tmpdir(), 'openrfq-production-'))
after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))

/** An operator's environment: without variables of the npm that runs this test, and with the system's Node only. */
const environment = (added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|OPENRFQ_|RFQ_|INIT_CWD)/.test(name),
  )
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((part) => !part.endsWith('node_modules/.bin'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), ...added }
}

/** Copies the repository's files that git does not ignore. */
const copyRepository = (): void => {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((name) => name !== '' && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), join(root, file))
}

/** Size of a folder's files; a file with two names counts once. */
const megabytesOf = (folder: string): number => {
  const stats = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
    lstatSync(join(folder, path)),
  )
  const sizes = new Map(stats.map(({ ino, size }) => [ino, size]))
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1_000_000
}

const listening = (npm: ChildProcess, said: () => string): Promise<string> =>
  poll(() => {
    if (npm.exitCode !== null) throw new Error(`it ended with ${npm.exitCode}: ${said()}`)
    return /listening on (\S+)/.exec(said())?.[1]
  }, said)

const poll = async <Answer>(
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  problem: () => string,
): Promise<Answer> => {
  for (const deadline = performance.now() + DEADLINE_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const answer = await ask()
    if (answer !== undefined) return answer
  }
  return assert.fail(problem())
}

test('the documented production install contains the service and its Node, and nothing of the sandbox', () => {
  copyRepository()
  const document = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  assert.ok(document.includes(COMMAND))
  execFileSync('npm', COMMAND.split(' ').slice(1), { cwd: root, env: environment(), stdio: 'pipe' })
  const lock = readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')
  const installed = Object.entries(InstalledPackages.parse(JSON.parse(lock)).packages)
  const names = installed.filter(([, { link }]) => !link).map(([name]) => name)
  assert.deepEqual(
    names.filter((name) => LEFT_OUT.test(name)),
    [],
  )
  assert.ok(names.includes('node_modules/node'))
  const [, packages, size] = /installs (\d+) packages, (\d+) MB/.exec(document) ?? []
  assert.equal(names.length, Number(packages))
  const megabytes = megabytesOf(join(root, 'node_modules'))
  assert.ok(Math.abs(megabytes / Number(size) - 1) < SIZE_TOLERANCE, `${megabytes} MB`)
})

test('the production install names the packages that the sandbox lacks', () => {
  const npm = spawn('npm', ['start'], { cwd: root, env: environment(), stdio: ['ignore', 'ignore', 'pipe'] })
  return Promise.all([once(npm, 'exit'), npm.stderr.toArray()]).then(([[code], said]) => {
    assert.equal(code, 1)
    assert.match(
      String(said),
      /which the sandbox needs: run `npm ci` without --omit and -w, or set RFQ_CONFIG/,
    )
  })
})

test('the production install serves a network file and stops cleanly', async (t) => {
  const sandbox = await startSandbox({ log: () => undefined, now: Date.now, withPaymentChains: false })
  t.after(() => sandbox.stop())
  writeFileSync(join(root, 'network.json'), JSON.stringify(sandbox.network))
  const npm = spawn('npm', ['start', '-w', 'openrfq'], {
    cwd: root,
    env: environment({ RFQ_CONFIG: 'network.json', PORT: '0', LOG_LEVEL: 'warn' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => npm.kill('SIGKILL'))
  let said = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  const url = await listening(npm, () => said)
  await poll(
    async () => ((await fetch(`${url}/readyz`)).status === 200 ? true : undefined),
    () => said,
  )
  const { tokens } = sandbox.network
  const pair = tokens.flatMap((from) =>
    tokens
      .filter((to) => to.chainId !== from.chainId && from.gateway && to.gateway?.denom === from.gateway.denom)
      .map((to) => ({ from, to })),
  )[0]
  assert.ok(pair)
  const body = {
    fromChain: pair.from.chainId,
    fromToken: pair.from.address,
    toChain: pair.to.chainId,
    toToken: pair.to.address,
    amount: `${10n ** BigInt(pair.from.decimals + 1)}`,
    orderType: 'EXACT_INPUT',
    sender: USERS[0]?.address,
    recipient: USERS[1]?.address,
  }
  await poll(
    async () => {
      const answer = await fetchJson<{ quotes?: readonly WireQuote[] }>(`${url}/v1/rfq/quote`, body)
      return answer.body.quotes?.find(({ backend }) => backend.type === 'gateway')
    },
    () => said,
  )
  assert.ok(existsSync(join(root, 'data/openrfq.sqlite')))
  npm.kill('SIGTERM')
  assert.deepEqual(await once(npm, 'exit'), [0, null])
})
