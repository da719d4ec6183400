import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { ListedToken, QuoteAnswer } from '@openrfq/sdk'
import { freePort } from 'openrfq/src/lib/free-port.ts'
import { z } from 'zod'

// Measures `npm start`: seconds until its address, the first quote of each backend and from each family of chains, and readiness; alone
// and besides two busy loops. Then kills a service ten times, and measures from ready to the first intent. Nothing is judged.

const ROOT = join(import.meta.dirname, '..')
const POLL_MS = 50
const DEADLINE_MS = 180_000
const KILLS = 10
const BUSY_LOOPS = 2
const TICKS_PER_SECOND = 100

const Described = z.object({
  accounts: z.array(z.object({ chainType: z.string(), address: z.string() })),
  chains: z.array(z.object({ chainId: z.string(), chainType: z.string() })),
})
type World = {
  readonly url: string
  readonly tokens: readonly ListedToken[]
  readonly sandbox: z.infer<typeof Described>
}
/** What is waited for: a quote of a backend, by one of these requests. */
type Goal = { readonly name: string; readonly backend: string; readonly requests: readonly object[] }

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const ask = async (
  url: string,
  body?: object,
): Promise<{ readonly status: number; readonly json: unknown }> => {
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(url, { ...options, headers: { 'content-type': 'application/json' } })
  return { status: response.status, json: await response.json() }
}

/** Repeats a question until it is answered. Throws Error when it is not. */
const until = async <Answer>(what: string, question: () => Promise<Answer | undefined>): Promise<Answer> => {
  for (const deadline = performance.now() + DEADLINE_MS; performance.now() < deadline; await sleep(POLL_MS)) {
    const answer = await question().catch(() => undefined)
    if (answer !== undefined) return answer
  }
  throw new Error(`${what} took longer than ${DEADLINE_MS / 1000} s`)
}

const readWorld = async (url: string, sandbox?: World['sandbox']): Promise<World> => {
  const { tokens } = z
    .object({ tokens: z.array(ListedToken) })
    .parse((await ask(`${url}/v1/rfq/tokens`)).json)
  return { url, tokens, sandbox: sandbox ?? Described.parse((await ask(`${url}/sandbox`)).json) }
}

const typeOf = ({ sandbox }: World, chainId: string): string =>
  sandbox.chains.find((chain) => chain.chainId === chainId)?.chainType ?? ''

/** Two tokens of the same symbol from each chain of the type to the others, by a backend. */
const requestsOf = (world: World, backend: string, chainType: string): readonly object[] => {
  const accountOn = (chainId: string, index: number) =>
    world.sandbox.accounts.filter((account) => account.chainType === typeOf(world, chainId))[index]?.address
  const served = world.tokens.filter(({ backends }) => backends.some((one) => one === backend))
  return served
    .filter(({ chainId }) => typeOf(world, chainId) === chainType)
    .flatMap((from) =>
      served
        .filter(
          (to) =>
            to.chainId !== from.chainId && to.symbol.replace('axl', '') === from.symbol.replace('axl', ''),
        )
        .map((to) => ({
          ...{ fromChain: from.chainId, fromToken: from.address, toChain: to.chainId, toToken: to.address },
          ...{ amount: `${2n * 10n ** BigInt(from.decimals)}`, orderType: 'EXACT_INPUT' },
          ...{ sender: accountOn(from.chainId, 0), recipient: accountOn(to.chainId, 1) },
        })),
    )
}

const goalsOf = (world: World): readonly Goal[] => [
  ...[...new Set(world.tokens.flatMap(({ backends }) => backends))].map((backend) => ({
    ...{ name: backend, backend, requests: requestsOf(world, backend, 'evm') },
  })),
  ...[...new Set(world.sandbox.chains.map(({ chainType }) => chainType))].map((chainType) => ({
    ...{
      name: `intent from ${chainType}`,
      backend: 'intent',
      requests: requestsOf(world, 'intent', chainType),
    },
  })),
]

/** Resolves at the first quote of a goal, whose requests are sent in turn. */
const quoted = async ({ url }: Pick<World, 'url'>, { name, backend, requests }: Goal): Promise<true> => {
  let turn = 0
  return until(name, async () => {
    const request = requests[turn % requests.length] ?? {}
    turn += 1
    const answer = QuoteAnswer.safeParse((await ask(`${url}/v1/rfq/quote`, request)).json)
    return answer.data?.quotes.some((quote) => quote.backend.type === backend) === true ? true : undefined
  })
}

const ready = (url: string): Promise<true> =>
  until('readiness', async () => ((await ask(`${url}/readyz`)).status === 200 ? true : undefined))

/** The processor seconds of a process and of all it started, as far as they run, by process. */
const processorSeconds = (root: number): ReadonlyMap<number, number> => {
  const rows = readdirSync('/proc').flatMap((name) => {
    try {
      const fields =
        readFileSync(`/proc/${Number(name)}/stat`, 'utf8')
          .split(') ')
          .at(-1)
          ?.split(' ') ?? []
      const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
      return [{ id: Number(name), parent, seconds: ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND }]
    } catch {
      return []
    }
  })
  const found = new Map<number, number>()
  const add = (id: number): void => {
    found.set(id, rows.find((row) => row.id === id)?.seconds ?? 0)
    for (const row of rows) if (row.parent === id) add(row.id)
  }
  add(root)
  return found
}

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** An environment without what this program was started with. */
const environment = (added: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|OPENRFQ_|RFQ_|NODE_OPTIONS|NODE_COMPILE_CACHE)/.test(name),
  )
  return { ...Object.fromEntries(kept), PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT: 'off', ...added }
}

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)))
    child.stdout?.on('data', (chunk) => {
      said += chunk
      const url = /listening on (http:\/\/\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
  })

/** The seconds of a start, by what they were waited for, with the processor seconds until the last quote. */
const measureStart = async (folder: string): Promise<ReadonlyMap<string, number>> => {
  const startedAt = performance.now()
  const times = new Map<string, number>()
  const child = spawn('npm', ['start', '--silent'], {
    ...{ cwd: ROOT, env: environment({ DATA_DIR: folder }), stdio: ['ignore', 'pipe', 'inherit'] },
  })
  const used = new Map<number, number>()
  const sampling = setInterval(() => {
    for (const [id, seconds] of processorSeconds(child.pid ?? 0)) used.set(id, seconds)
  }, 200)
  const note = (name: string): void => void times.set(name, (performance.now() - startedAt) / 1000)
  try {
    const url = await addressOf(child)
    note('address')
    const whenReady = ready(url).then(() => note('ready'))
    const world = await until('the tokens', () => readWorld(url))
    await Promise.all(goalsOf(world).map((goal) => quoted(world, goal).then(() => note(goal.name))))
    note('all quotes')
    times.set(
      'processor seconds until then',
      [...used.values()].reduce((sum, seconds) => sum + seconds, 0),
    )
    await whenReady
    return times
  } finally {
    clearInterval(sampling)
    await end(child, 'SIGTERM')
  }
}

const forgetCompiledCode = (): void => {
  for (const folder of globSync('node_modules/.cache/openrfq/*/code', { cwd: ROOT }))
    rmSync(join(ROOT, folder), { recursive: true, force: true })
}

/** Measures the first start of a folder, with nothing compiled, and the second one. */
const measureStarts = async (): Promise<readonly ReadonlyMap<string, number>[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-bench-'))
  try {
    forgetCompiledCode()
    return [await measureStart(folder), await measureStart(folder)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const withBusyLoops = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    return await run()
  } finally {
    await Promise.all(loops.map((loop) => end(loop, 'SIGKILL')))
  }
}

const seconds = (value: number | undefined): string => (value?.toFixed(1) ?? '').padStart(8)

const printStarts = (columns: readonly ReadonlyMap<string, number>[]): void => {
  const names = [...new Set(columns.flatMap((times) => [...times.keys()]))]
  say('seconds from npm start to       first  second   first  second (besides two busy loops)')
  for (const name of names) say(name.padEnd(29) + columns.map((times) => seconds(times.get(name))).join(''))
}

/** Kills a service ten times, whose solvers run on; the seconds from each kill until it is ready, and until the first intent. */
const measureKills = async (): Promise<readonly (readonly [number, number])[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-bench-'))
  const sandbox = await startSandbox({ log: () => undefined, now: Date.now })
  const [networkFile, port] = [join(folder, 'network.json'), await freePort()]
  writeFileSync(networkFile, JSON.stringify(sandbox.network))
  const words = ['scripts/run.cjs', 'serve']
  const env = environment({
    ...{ RFQ_CONFIG: networkFile, DATA_DIR: folder, PORT: `${port}` },
    KEEPER_PRIVATE_KEY: sandbox.keeperPrivateKey,
    KEEPER_SECRETS: JSON.stringify(Object.fromEntries(sandbox.keeperSecrets)),
    VAULT_SECRETS: JSON.stringify(Object.fromEntries(sandbox.vaultSecrets)),
  })
  const start = (): ChildProcess =>
    spawn(process.execPath, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let service = start()
  try {
    const url = await addressOf(service)
    await sandbox.connect(url)
    const described = sandbox.endpoints.find(({ path }) => path === '/sandbox')
    const world = await readWorld(url, Described.parse(await described?.handle(undefined)))
    const intent = goalsOf(world).find(({ name }) => name === 'intent')
    if (intent === undefined) throw new Error('the sandbox has no intents')
    await quoted(world, intent)
    await ready(url)
    const waits: [number, number][] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      await end(service, 'SIGKILL')
      service = start()
      const killedAt = performance.now()
      const since = () => (performance.now() - killedAt) / 1000
      waits.push(await Promise.all([ready(url).then(since), quoted(world, intent).then(since)]))
    }
    return waits
  } finally {
    await end(service, 'SIGKILL')
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The courses that are named on the command line; all without a name. */
const isWanted = (course: 'starts' | 'kills'): boolean =>
  process.argv.length === 2 || process.argv.includes(course)

if (isWanted('starts')) printStarts([...(await measureStarts()), ...(await withBusyLoops(measureStarts))])
if (isWanted('kills')) {
  say('seconds from a kill to  ready  intent  after ready')
  for (const [readyAfter, quotedAfter] of await measureKills())
    say([readyAfter, quotedAfter, Math.max(0, quotedAfter - readyAfter)].map(seconds).join('').padStart(45))
}
process.exit()
