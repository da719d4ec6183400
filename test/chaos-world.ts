import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { KEEPER } from '@openrfq/sandbox/src/keys.ts'
import { SOLVER_PLANS } from '@openrfq/sandbox/src/solvers/plan.ts'
import type { Network } from 'openrfq/src/core/network.ts'
import { freePort } from 'openrfq/src/lib/free-port.ts'
import type { Log } from 'openrfq/src/lib/log.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { type Mood, startUnsteadyNode } from 'openrfq/test/unsteady-node.ts'
import { fetchJson, type SandboxDescription } from 'openrfq/test/wallet.ts'
import type { z } from 'zod'
import type { RestartingProcess } from './restarting-process.ts'
import { startService, startSolver } from './restarting-processes.ts'
import { temporaryDirectory, type WireToken } from './sandbox-service.ts'

export type IntentAsset = {
  readonly chainId: string
  readonly address: `0x${string}`
  readonly symbol: string
}

/** The sandbox's chains and relayer in this process; the service with its keeper and two solvers as child processes. */
export type ChaosWorld = {
  readonly url: string
  readonly sandbox: SandboxDescription
  readonly tokens: readonly WireToken[]
  /** The assets that solvers quote. */
  readonly assets: readonly IntentAsset[]
  readonly service: RestartingProcess
  readonly solvers: readonly [RestartingProcess, RestartingProcess]
  readonly keeper: `0x${string}`
  /** Time until the service answered. */
  readonly startMs: number
  /** Calls the sandbox's HTTP control directly. */
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
  /** Confirmations of a final block; by default the sandbox's. */
  readonly finality?: number
  /** The faults of the nodes that the service and the solvers use; none by default. */
  readonly mood?: () => Mood
}

/** The second solver quotes better prices, so that the first seldom takes its orders over while it is paused. */
const SPREADS_BPS = [40, 4] as const

const QUIET: Log = () => undefined

const readTokens = async (url: string, service: RestartingProcess): Promise<readonly WireToken[]> => {
  const answer = await eventually(
    () => `the service starts\n${service.said()}`,
    () => fetchJson<{ tokens: WireToken[] }>(`${url}/v1/rfq/tokens`).catch(() => undefined),
  )
  return answer.body.tokens
}

const startNodes = ({ chains }: z.input<typeof Network>, mood: () => Mood) =>
  Promise.all(chains.map(({ rpcUrls }) => startUnsteadyNode(rpcUrls[0] ?? '', mood)))

const assetsOf = (tokens: z.input<typeof Network>['tokens']): readonly IntentAsset[] =>
  tokens
    .filter(({ intent }) => intent === true)
    // CAST: the sandbox has EVM chains only.
    .map(({ chainId, address, symbol }) => ({ chainId, address: address as `0x${string}`, symbol }))

/** Starts the world; resolves when the service answers. `before` runs before any solver or service starts. */
export const startChaosWorld = async (
  { seconds, finality, mood }: Options,
  before: (world: Pick<ChaosWorld, 'sandbox' | 'assets' | 'keeper'>) => Promise<void> = () =>
    Promise.resolve(),
): Promise<ChaosWorld> => {
  const running = await startSandbox({
    log: QUIET,
    now: Date.now,
    withPaymentChains: false,
    intentSeconds: seconds,
    endpointSeed: undefined,
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
      trustSingleEndpoint: true,
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
  const service = startService(port, directory.path, { KEEPER_PRIVATE_KEY: running.keeperPrivateKey })
  const part = { serviceUrl: `ws://127.0.0.1:${port}/v1/solver`, network }
  const [first, second] = SOLVER_PLANS
  if (first === undefined || second === undefined) throw new Error('the sandbox has two solvers')
  const solvers = [
    startSolver({ ...first, spreadBps: SPREADS_BPS[0] }, directory.path, part),
    startSolver({ ...second, spreadBps: SPREADS_BPS[1] }, directory.path, part),
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
