import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { type MainnetWorld, startMainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..')
const PAGE = readFileSync(join(ROOT, 'docs/mainnet.md'), 'utf8')
const STEP = /^## (\d)\. /m

/** The blocks of one step of the page in a language, in their order. */
const blocksOf = (step: number, language: string): readonly string[] => {
  const parts = PAGE.split(STEP)
  const text = parts[parts.indexOf(`${step}`) + 1] ?? assert.fail(`the page has no step ${step}`)
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  )
}

const Overlay = z.looseObject({ chains: z.array(z.looseObject({ chainId: z.string() })) })

let world: MainnetWorld
let folder: string
/** Where the page says http://127.0.0.1:8080. */
let url: string
let service: ChildProcess | undefined
/** What the page exports. */
let exported: Readonly<Record<string, string>>

before(async () => {
  world = await startMainnetWorld()
  folder = mkdtempSync(join(tmpdir(), 'rfq-page-'))
})
after(async () => {
  if (service !== undefined && service.exitCode === null) {
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
  world.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The page's overlay, with the test's servers in the place of all endpoints. */
const overlayOf = (text: string): object => {
  const page = Overlay.parse(JSON.parse(text))
  const own = new Map(page.chains.map((chain) => [chain.chainId, chain]))
  const servers = world.chains.map(({ chainNumber }, place) => {
    const chainId = `eip155:${chainNumber}`
    const rpcUrls = world.rpc.endpoints[place]?.map(({ url }) => url)
    return { ...own.get(chainId), chainId, rpcUrls }
  })
  const others = page.chains.filter(({ chainId }) => !servers.some((server) => server.chainId === chainId))
  const axelar = { scanUrl: world.axelar.url, lcdUrl: world.axelar.url }
  return { ...page, chains: [...servers, ...others], axelar }
}

const environment = (): NodeJS.ProcessEnv => ({ ...process.env, ...exported, PORT: '0', NO_COLOR: '1' })

const run = (command: string): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd: ROOT, env: environment() }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    )
  })

const toService = (command: string): string => command.replaceAll('http://127.0.0.1:8080', url)

test('the files of the page pass both checks', async () => {
  const [overlay = assert.fail('the page has no overlay')] = blocksOf(2, 'json')
  writeFileSync(join(folder, 'mine.json'), JSON.stringify(overlayOf(overlay)))
  const [block = ''] = blocksOf(3, 'sh')
  const [first = '', ...commands] = block.trim().split('\n')
  assert.match(first, /^export /)
  exported = Object.fromEntries(
    [...first.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value.startsWith('networks/') ? value : join(folder, value),
    ]),
  )
  assert.deepEqual(Object.keys(exported), ['RFQ_CONFIG', 'RFQ_OVERLAY', 'DATA_DIR'])
  assert.equal(commands.length, 2)
  for (const command of commands) {
    const { code, output } = await run(command)
    assert.equal(code, 0, output)
    assert.match(output, /^0 errors/m)
  }
})

test('the service of the page becomes ready and answers the quote of the page', async () => {
  const [start = '', readyz = '', quote = ''] = blocksOf(4, 'sh')
  let said = ''
  service = spawn('bash', ['-c', `exec ${start}`], {
    ...{ cwd: ROOT, env: environment() },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  service.stdout?.on('data', (chunk) => {
    said += String(chunk)
  })
  url = await eventually('the port is open', () => /listening on (http:\/\/\S+)/.exec(said)?.[1] ?? false)
  await eventually('every chain is read', async () => {
    const { output } = await run(
      toService(readyz).replace('curl -s', "curl -s -o /dev/null -w '%{http_code}'"),
    )
    return output === '200'
  })
  const backends = await eventually('the pair is quoted', async () => {
    const { output } = await run(toService(quote))
    const { quotes } = z
      .object({ quotes: z.array(z.object({ backend: z.object({ type: z.string() }) })) })
      .parse(JSON.parse(output))
    return quotes.length > 0 && quotes.map(({ backend }) => backend.type)
  })
  assert.deepEqual(backends, ['its'])
  const [metrics = ''] = blocksOf(5, 'sh')
  assert.match((await run(toService(metrics))).output, /^openrfq_rpc_calls_total\{/m)
})
