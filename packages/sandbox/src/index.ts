import type { Log } from 'openrfq/lib/log'
import { logStages, type Stage } from 'openrfq/lib/log-stages'
import type { Network } from 'openrfq/network'
import type { z } from 'zod'
import { openAttesterDoor } from './attester-door.ts'
import { createSandboxAttester } from './attester-process.ts'
import { startChains } from './chains.ts'
import { startClockServer } from './clock/clock-server.ts'
import { GATEWAY_PLANS } from './deploy/plan.ts'
import type { Hex } from './deployment-types.ts'
import { type SandboxEndpoint, sandboxEndpoints } from './endpoints.ts'
import { EXPRESS_EXECUTOR, KEEPER, RELAYER, SIGNER_SET, SOLVERS } from './keys.ts'
import { describeNetwork, type L1Fees } from './network.ts'
import { receivingChains, trustReceivers } from './receiving-chains.ts'
import { createRelayer } from './relayer/index.ts'
import { renewNonces } from './renew-nonces.ts'
import { type RoleStarter, rolesApart, rolesTogether } from './role-process.ts'
import { startSandboxRpc } from './rpc/sandbox-rpc.ts'
import { startSimulatedChains } from './simulated/index.ts'
import type { SimulatedChain, SimulatedKey } from './simulated/simulated-chain.ts'
import { AXELAR_NAME } from './solana/index.ts'
import { createSolverFleet } from './solvers/fleet.ts'
import { type IntentSeconds, SANDBOX_SECONDS } from './solvers/plan.ts'

/** A running sandbox: the network for a service, its HTTP controls, and how to end it. */
export type Sandbox = {
  readonly network: z.input<typeof Network>
  readonly endpoints: readonly SandboxEndpoint[]
  /** The simulated chains, with faults that only this process can cause; empty if it was started without them. */
  readonly simulatedChains: readonly SimulatedChain[]
  /** The time of its chains: that of the machine, and as much more as its clock was moved. */
  readonly now: () => number
  /** The key of an account with native asset on every chain, for the service's refunds. */
  readonly keeperPrivateKey: Hex
  /** Origins of the nodes that wallets in a browser ask. */
  readonly sandboxOrigins: readonly string[]
  /** The secret of an account that submits refunds on each chain with an escrow program, by chain. */
  readonly keeperSecrets: ReadonlyMap<string, string>
  /** The secret of the operator's vault on each chain that has one, by chain. */
  readonly vaultSecrets: ReadonlyMap<string, string>
  /**
   * Starts the sandbox's solvers and, with payment chains, its attester for the service at the address, unless they were
   * started before; resolves when the solvers quote there and the attester reads the chains, or one of them has ended.
   */
  readonly connect: (serviceUrl: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Confirmations that the relayer waits for, so that a transfer is visible in flight. */
const RELAYER_CONFIRMATIONS = 2

/** Stops what was started, in reverse order; one failure does not affect the others. */
const createStack = () => {
  const stops: (() => Promise<void>)[] = []
  return {
    add: <Part extends { readonly stop: () => Promise<void> }>(part: Part): Part => {
      stops.push(() => part.stop())
      return part
    },
    stop: async (): Promise<void> => {
      for (const stop of stops.splice(0).reverse()) await stop().catch(() => undefined)
    },
  }
}

export type SandboxOptions = {
  readonly log: Log
  readonly now: () => number
  /** The service that solvers and attester are started for beside the chains; without it they wait for `connect`. */
  readonly serviceUrl?: string
  /** Whether solvers and attester share a process, as by default, or have one each, which signals reach alone. */
  readonly processes?: 'together' | 'apart'
  /** Seconds of an intent's quote, of its fill window and until its refund. */
  readonly intentSeconds?: IntentSeconds
  /** False leaves out the simulated Solana and Stellar chains, which start in about a second. */
  readonly withPaymentChains?: boolean
  /** Between two EVM blocks while transactions need confirmations, in milliseconds; a second by default. */
  readonly blockMs?: number
  /** Chains with more confirmations to finality, by Axelar name. */
  readonly slowFinality?: Readonly<Record<string, number>>
  /** Chains whose transactions have one gas price instead of EIP-1559's fees, by Axelar name. */
  readonly legacyGas?: readonly string[]
  /** How chains charge for data on a chain below them, by Axelar name; their oracles are not deployed. */
  readonly l1Fees?: L1Fees
  /** The port of Solana's RPC where that is free; any free one by default. */
  readonly solanaPort?: number
  /** What the lateness and restarts of RPC endpoints are drawn from; undefined for endpoints that are never late. */
  readonly endpointSeed?: number | undefined
}

const ENDPOINT_SEED = 1

/** Starts all chains in parallel; if one kind fails, the other is on the stack to be stopped. */
const startAll = async (
  stack: ReturnType<typeof createStack>,
  stage: Stage,
  {
    log,
    now,
    withPaymentChains = true,
    blockMs,
    legacyGas,
    solanaPort,
  }: Pick<SandboxOptions, 'log' | 'now' | 'withPaymentChains' | 'blockMs' | 'legacyGas' | 'solanaPort'>,
) => {
  const startEvm = () => startChains({ log, now, blockMs, legacyGas })
  const startOthers = () => startSimulatedChains({ log, now, solverCount: SOLVERS.length, solanaPort })
  const chains = stage('evm_chains', startEvm).then((running) => stack.add(running))
  const simulatedChains = withPaymentChains ? stage('simulated_chains', startOthers) : []
  const added = Promise.resolve(simulatedChains).then((running) =>
    running.map((simulatedChain) => stack.add(simulatedChain)),
  )
  await Promise.allSettled([chains, added])
  return Promise.all([chains, added])
}

/** The first block of each chain, or an earlier one. */
const beginnings = (
  chains: readonly { readonly chainId: string }[],
  simulatedChains: readonly SimulatedChain[],
): Readonly<Record<string, number>> =>
  Object.fromEntries([
    ...chains.map(({ chainId }) => [chainId, 0]),
    ...simulatedChains.map(({ chain, firstBlock }) => [chain.chainId, firstBlock]),
  ])

/** The secrets of one account of each chain that has it, by chain. */
const secretsOf = (
  simulatedChains: readonly SimulatedChain[],
  keyOf: (chain: SimulatedChain) => SimulatedKey | undefined,
): ReadonlyMap<string, string> =>
  new Map(
    simulatedChains.flatMap((simulatedChain) => {
      const key = keyOf(simulatedChain)
      return key === undefined ? [] : [[simulatedChain.chain.chainId, key.privateKey] as const]
    }),
  )

/** The secrets of one of the solvers on each payment chain, by chain type. */
const solverSecrets = (simulatedChains: readonly SimulatedChain[], index: number) =>
  Object.fromEntries(
    simulatedChains.map(({ chain, solvers }) => [chain.chainType, solvers[index]?.privateKey]),
  )

/** What the attester's configuration has besides the network. */
const attesterPart = (
  chains: Parameters<typeof beginnings>[0],
  simulatedChains: readonly SimulatedChain[],
) => ({
  startAfter: beginnings(chains, simulatedChains),
  vaultSecrets: Object.fromEntries(secretsOf(simulatedChains, ({ cosigner }) => cosigner)),
})

/** The solvers and, with payment chains, the attester; `connect` starts them. */
const createRoles = (
  stack: ReturnType<typeof createStack>,
  {
    chains,
    simulatedChains,
    stage,
    onPort,
    ...shared
  }: Pick<Parameters<typeof createSandboxAttester>[0], 'network' | 'onPort' | 'log'> & {
    readonly chains: Parameters<typeof beginnings>[0]
    readonly simulatedChains: readonly SimulatedChain[]
    readonly roles: RoleStarter
    readonly stage: Stage
  },
) => {
  const attester =
    simulatedChains.length === 0
      ? undefined
      : stack.add(createSandboxAttester({ ...shared, ...attesterPart(chains, simulatedChains), onPort }))
  const accounts = SOLVERS.map((_, index) => solverSecrets(simulatedChains, index))
  const solvers = stack.add(createSolverFleet({ ...shared, accounts }))
  let working: Promise<unknown> | undefined
  const connect = async (serviceUrl: string): Promise<void> => {
    working ??= Promise.all([
      stage('solvers', () => solvers.start(serviceUrl)),
      ...(attester === undefined ? [] : [stage('attester', attester.start)]),
    ])
    await working
  }
  return { solvers, attester, connect }
}

const originsOf = (urls: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(urls.flatMap((url) => (url === undefined ? [] : new URL(url).origin))),
]

const seedOf = (options: SandboxOptions) => ('endpointSeed' in options ? options.endpointSeed : ENDPOINT_SEED)

const start = async (
  options: SandboxOptions,
  stack: ReturnType<typeof createStack>,
): Promise<Omit<Sandbox, 'stop'>> => {
  const { log, intentSeconds: seconds = SANDBOX_SECONDS, slowFinality = {}, l1Fees = {} } = options
  const clock = stack.add(await startClockServer(log))
  const now = (): number => options.now() + clock.offsetMs()
  const stage = logStages(options)
  const roles = stack.add(options.processes === 'apart' ? rolesApart : rolesTogether())
  if (options.serviceUrl !== undefined) roles.load()
  const [running, simulatedChains] = await startAll(stack, stage, { ...options, now })
  const { deployment, chains } = running
  await renewNonces(chains, KEEPER.address, options.now)
  const receivers = await receivingChains(deployment, chains, simulatedChains)
  await trustReceivers(chains, receivers)
  const rpc = stack.add(await startSandboxRpc({ chains, simulatedChains, seed: seedOf(options) }))
  const relayer = stack.add(
    createRelayer({
      ...{ chains, receivers, solanaName: AXELAR_NAME, tokens: deployment.tokens },
      assets: GATEWAY_PLANS.map(({ asset }) => asset),
      tokens: deployment.tokens,
      signerSet: SIGNER_SET,
      relayerKey: RELAYER.privateKey,
      executorKey: EXPRESS_EXECUTOR.privateKey,
      log,
      now,
      confirmations: RELAYER_CONFIRMATIONS,
      slowFinality,
    }),
  )
  const { url: relayerUrl } = await relayer.start()
  const door = stack.add(await openAttesterDoor())
  const networkAt = (rpcUrlsOf: (chainId: string) => readonly string[]) =>
    describeNetwork(deployment, {
      simulatedChains,
      rpcUrlsOf,
      relayerUrl,
      attesterUrl: door.url,
      clockUrl: clock.url,
      seconds,
      slowFinality,
      l1Fees,
    })
  const { solvers, attester, connect } = createRoles(stack, {
    network: networkAt((chainId) => rpc.endpoints.get(chainId)?.neutralUrls ?? []),
    ...{ chains, simulatedChains, roles, stage, log },
    onPort: door.leadTo,
  })
  if (options.serviceUrl !== undefined) void connect(options.serviceUrl)
  return {
    network: networkAt((chainId) => rpc.endpoints.get(chainId)?.urls ?? []),
    endpoints: sandboxEndpoints({ running, simulatedChains, rpc, relayer, solvers, attester, clock }),
    simulatedChains,
    sandboxOrigins: originsOf([
      ...rpc.walletUrls.values(),
      ...simulatedChains.flatMap(({ rpcUrl, subscriptionsUrl }) => [rpcUrl, subscriptionsUrl]),
    ]),
    now,
    keeperPrivateKey: KEEPER.privateKey,
    keeperSecrets: secretsOf(simulatedChains, ({ keeper }) => keeper),
    vaultSecrets: secretsOf(simulatedChains, ({ vault }) => vault),
    connect,
  }
}

/**
 * Starts three EVM chains with Axelar's contracts, settlers and tokens, a relayer that plays Axelar, and their
 * controls; solvers and attester wait for `connect`. Everything ends with this process, however it ends. Throws if
 * anvil is missing, and leaves nothing running.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const stack = createStack()
  try {
    return { ...(await start(options, stack)), stop: stack.stop }
  } catch (cause) {
    await stack.stop()
    throw cause
  }
}
