import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Log } from '../src/core/log.ts'
import type { Network } from '../src/core/network.ts'
import { childEnvironment } from '../src/sandbox/child-environment.ts'
import { startSandbox } from '../src/sandbox/index.ts'
import { KEEPER } from '../src/sandbox/keys.ts'
import { SOLVER_PLANS, type SolverPlan } from '../src/sandbox/solvers/plan.ts'
import { temporaryDirectory, type WireToken } from './sandbox-service.ts'
import { type Mood, startUnsteadyNode } from './unsteady-node.ts'
import { fetchJson, type SandboxDescription } from './wallet.ts'

/** A process that is started again with the same data whenever it is killed. */
export type Immortal = {
  readonly name: string
  readonly isAlive: () => boolean
  /** SIGKILL, and the next life; resolves when the process is gone. */
  readonly kill: () => Promise<void>
  /** Sends a message over the IPC channel; one to a process that is just ending is lost. */
  readonly send: (message: object) => void
  readonly said: () => string
  /** How often it ended without being killed. */
  readonly crashes: () => number
  readonly stop: () => Promise<void>
}

export type IntentAsset = {
  readonly chainId: string
  readonly address: `0x${string}`
  readonly symbol: string
}

/** The sandbox's chains and relayer in this process; the service with its keeper and two solvers as processes. */
export type ChaosWorld = {
  readonly url: string
  readonly sandbox: SandboxDescription
  readonly tokens: readonly WireToken[]
  /** Whatever solvers quote. */
  readonly assets: readonly IntentAsset[]
  readonly service: Immortal
  readonly solvers: readonly [Immortal, Immortal]
  readonly keeper: `0x${string}`
  /** How long the service took to answer. */
  readonly startMs: number
  /** The sandbox's own control over HTTP, called directly. */
  readonly control: (path: string, body: unknown) => Promise<unknown>
  readonly stop: () => Promise<void>
}

type Options = {
  /** How long intents bind. */
  readonly seconds: {
    readonly quoteLifetimeSeconds: number
    readonly fillWindowSeconds: number
    readonly refundDelaySeconds: number
  }
  /** Blocks until a block counts as final; the sandbox's own number when left out. */
  readonly finality?: number
  /** What is wrong with the nodes that the service and the solvers use; nothing when left out. */
  readonly mood?: () => Mood
}

const ROOT = join(import.meta.dirname, '..')
const QUIET: Log = () => undefined
const KEPT_CHARACTERS = 20_000
const START_DEADLINE_MS = 60_000
const STOP_MS = 10_000
const SETTLEMENT = { fillMarginSeconds: 2, batchWaitMs: 500, proofStallSeconds: 60 }

const immortal = (name: string, start: () => ChildProcess): Immortal => {
  let crashes = 0
  let said = ''
  const keep = (chunk: unknown): void => {
    said = `${said}${String(chunk)}`.slice(-KEPT_CHARACTERS)
  }
  const begin = (): ChildProcess => {
    const child = start()
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('error', keep)
    child.once('exit', (code, signal) => {
      if (child !== current || isEnding) return
      crashes += 1
      keep(`\n${name} ended by itself: ${code} ${signal}\n`)
    })
    return child
  }
  let isEnding = false
  let isStopped = false
  let current: ChildProcess | undefined
  current = begin()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = current
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    isEnding = true
    const gone = once(child, 'exit')
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await gone
    clearTimeout(timer)
    isEnding = false
  }
  const killHard = (): void => {
    current?.kill('SIGKILL')
  }
  process.once('exit', killHard)
  return {
    name,
    isAlive: () => current?.exitCode === null && current.signalCode === null,
    kill: async () => {
      await end('SIGKILL')
      if (!isStopped) current = begin()
    },
    send: (message) => {
      if (current?.connected === true) current.send(message, () => undefined)
    },
    said: () => said,
    crashes: () => crashes,
    stop: async () => {
      isStopped = true
      await end('SIGTERM')
      process.off('exit', killHard)
    },
  }
}

/** A port that was free a moment ago, so that solvers find each life of the service at the same address. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

const startSolver = (
  plan: SolverPlan,
  root: string,
  part: { readonly serviceUrl: string; readonly network: z.input<typeof Network> },
): Immortal => {
  const directory = join(root, plan.name.replaceAll(' ', '-'))
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'solver.json')
  const { name, privateKey, spreadBps, sizeSpreadBps } = plan
  const strategy = { spreadBps, sizeSpreadBps }
  const config = { ...part, name, privateKey, dataDirectory: directory, strategy, settlement: SETTLEMENT }
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
  return immortal(name, () =>
    spawn(process.execPath, ['src/cli/rfq.ts', 'solver', '--config', path], {
      cwd: ROOT,
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
}

const startService = (port: number, root: string, keeperPrivateKey: string): Immortal => {
  const env = {
    ...childEnvironment(),
    PORT: `${port}`,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    RFQ_CONFIG: join(root, 'network.json'),
    DATA_DIR: root,
    KEEPER_PRIVATE_KEY: keeperPrivateKey,
  }
  return immortal('service', () =>
    spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] }),
  )
}

const readTokens = async (url: string, service: Immortal): Promise<readonly WireToken[]> => {
  const giveUpAt = Date.now() + START_DEADLINE_MS
  for (;;) {
    const answer = await fetchJson<{ tokens: WireToken[] }>(`${url}/v1/rfq/tokens`).catch(() => undefined)
    if (answer !== undefined) return answer.body.tokens
    if (Date.now() > giveUpAt) throw new Error(`the service does not start\n${service.said()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const startNodes = ({ chains }: z.input<typeof Network>, mood: () => Mood) =>
  Promise.all(chains.map(({ rpcUrls }) => startUnsteadyNode(rpcUrls[0] ?? '', mood)))

const assetsOf = (tokens: z.input<typeof Network>['tokens']): readonly IntentAsset[] =>
  tokens
    .filter(({ intent }) => intent === true)
    // CAST: the sandbox has EVM chains only.
    .map(({ chainId, address, symbol }) => ({ chainId, address: address as `0x${string}`, symbol }))

/** Starts it all; resolves when the service answers. `before` runs while no solver and no service has begun. */
export const startChaosWorld = async (
  { seconds, finality, mood }: Options,
  before: (world: Pick<ChaosWorld, 'sandbox' | 'assets' | 'keeper'>) => Promise<void> = () =>
    Promise.resolve(),
): Promise<ChaosWorld> => {
  const running = await startSandbox({
    log: QUIET,
    now: Date.now,
    withLedgers: false,
    intentSeconds: seconds,
  })
  const directory = temporaryDirectory()
  const control = async (path: string, body: unknown): Promise<unknown> => {
    const endpoint = running.endpoints.find((candidate) => candidate.path === path)
    if (endpoint === undefined) throw new Error(`the sandbox has no ${path}`)
    return endpoint.handle(body)
  }
  const nodes = mood === undefined ? [] : await startNodes(running.network, mood)
  const network: z.input<typeof Network> = {
    ...running.network,
    chains: running.network.chains.map((chain, index) => ({
      ...chain,
      finality: finality ?? chain.finality,
      rpcUrls: [nodes[index]?.url ?? chain.rpcUrls[0] ?? ''],
    })),
  }
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(network))
  // CAST: the sandbox's own description is what GET /sandbox answers.
  const sandbox = (await control('/sandbox', undefined)) as SandboxDescription
  const [assets, keeper] = [assetsOf(running.network.tokens), KEEPER.address]
  await before({ sandbox, assets, keeper })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = Date.now()
  const service = startService(port, directory.path, running.keeperPrivateKey)
  const part = { serviceUrl: `ws://127.0.0.1:${port}/v1/solver`, network }
  const [first, second] = SOLVER_PLANS
  if (first === undefined || second === undefined) throw new Error('the sandbox has two solvers')
  const solvers = [
    startSolver(first, directory.path, part),
    startSolver(second, directory.path, part),
  ] as const
  const stop = async (): Promise<void> => {
    await Promise.all(solvers.map((solver) => solver.stop()))
    await service.stop()
    for (const node of nodes) node.stop()
    await running.stop()
    directory.remove()
  }
  try {
    const tokens = await readTokens(url, service)
    const startMs = Date.now() - startedAt
    return { url, startMs, sandbox, tokens, service, assets, solvers, keeper, control, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
