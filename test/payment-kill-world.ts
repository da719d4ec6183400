import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import type { SimulatedChain } from '@openrfq/sandbox/src/simulated/simulated-chain.ts'
import { type IntentSeconds, SOLVER_PLANS } from '@openrfq/sandbox/src/solvers/plan.ts'
import { Network } from 'openrfq/src/core/network.ts'
import { freePort } from 'openrfq/src/lib/free-port.ts'
import type { Log } from 'openrfq/src/lib/log.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import type { LocalServer } from 'openrfq/test/local-server.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import type { z } from 'zod'
import type { FamilyAccount, FamilyChain, FamilyToken } from './families-world.ts'
import type { RestartingProcess } from './restarting-process.ts'
import { startAttester, startService, startSolver } from './restarting-processes.ts'
import { temporaryDirectory } from './sandbox-service.ts'
import { type Passage, startSendGate } from './send-gate.ts'

/** A chain with its dollar token, the only one traded. */
export type DollarChain = FamilyChain & { readonly token: FamilyToken; readonly settler: string }

/** A paying process, and the gates between it and the chains. */
type Payer = { readonly process: RestartingProcess; readonly secrets: ReadonlyMap<string, string> }

/** Chains in this process; the service, two solvers and the attester as child processes that can be killed. */
export type PaymentKillWorld = {
  readonly url: string
  readonly network: Network
  /** One EVM chain, Solana and Stellar. */
  readonly chains: readonly DollarChain[]
  readonly accountsOn: (chain: DollarChain) => readonly FamilyAccount[]
  readonly solversOn: (chain: DollarChain) => readonly string[]
  readonly simulatedChains: readonly SimulatedChain[]
  readonly payers: readonly Payer[]
  /** Moves the chains and the processes that are alive ahead. */
  readonly moveClock: (seconds: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Decides about each transaction that a paying process submits. */
export type Meet = (payer: string, chainId: string) => Promise<Passage>

type Description = {
  readonly chains: readonly (FamilyChain & {
    readonly contracts?: { readonly attestedSettler?: string; readonly escrowProgram?: string }
  })[]
  readonly accounts: readonly FamilyAccount[]
}

const QUIET: Log = () => undefined
/** The validity that the sandbox's own solvers use. */
const VALID_FOR_MS = 20_000

const isDollar = ({ symbol }: { readonly symbol: string }): boolean => /USDC/.test(symbol)

/**
 * The first EVM chain and the payment chains, with dollars, SOL, in which the rent of recipients' accounts is priced, and
 * another place of the attester.
 */
const trim = (network: z.input<typeof Network>, attesterUrl: string): z.input<typeof Network> => {
  const first = network.chains.find(({ chainType }) => chainType === 'evm')
  const chains = network.chains.filter((chain) => chain === first || chain.chainType !== 'evm')
  const tokens = chains.flatMap(({ chainId }) => {
    const served = network.tokens.filter((token) => token.chainId === chainId && token.intent === true)
    return [...served.filter(isDollar).slice(0, 1), ...served.filter(({ symbol }) => symbol === 'SOL')]
  })
  const { intent } = network
  return { ...network, chains, tokens, ...(intent && { intent: { ...intent, attesterUrl } }) }
}

const describe = ({ chains }: Description, { tokens }: Network): readonly DollarChain[] =>
  tokens.filter(isDollar).map(({ chainId, address, symbol, decimals, stellar }) => {
    const chain = chains.find((one) => one.chainId === chainId)
    assert.ok(chain, chainId)
    const token = { chainId, address, symbol, decimals, ...(stellar === undefined ? {} : { stellar }) }
    const { attestedSettler, escrowProgram } = chain.contracts ?? {}
    return { ...chain, token, settler: chain.vault ?? attestedSettler ?? escrowProgram ?? '' }
  })

/** Gates in front of all chains for one process. */
const startGates = async (
  name: string,
  network: z.input<typeof Network>,
  nodes: ReadonlyMap<string, string>,
  deps: { readonly meet: Meet; readonly kill: (name: string) => Promise<void> },
) => {
  const gates: LocalServer[] = []
  const chains: z.input<typeof Network>['chains'] = []
  for (const chain of network.chains) {
    const { chainId } = chain
    const gate = await startSendGate(
      nodes.get(chainId) ?? '',
      () => deps.meet(name, chainId),
      () => deps.kill(name),
    )
    gates.push(gate)
    chains.push({ ...chain, rpcUrls: [gate.url], trustSingleEndpoint: true })
  }
  const stop = (): void => {
    for (const gate of gates) gate.stop()
  }
  return { network: { ...network, chains }, stop }
}

const untilAnswered = async (url: string, service: RestartingProcess): Promise<void> => {
  await eventually(
    () => `the service starts\n${service.said()}`,
    () => fetchJson(`${url}/v1/rfq/chains`).catch(() => undefined),
  )
}

/** Stops what was started, in reverse order. */
const createStack = () => {
  const stops: (() => unknown)[] = []
  return {
    add: <Part extends { readonly stop: () => unknown }>(part: Part): Part => {
      stops.push(() => part.stop())
      return part
    },
    stop: async (): Promise<void> => {
      for (const stop of stops.splice(0).reverse()) await stop()
    },
  }
}

const start = async (
  stack: ReturnType<typeof createStack>,
  intentSeconds: IntentSeconds,
  meet: Meet,
): Promise<Omit<PaymentKillWorld, 'stop'>> => {
  const directory = temporaryDirectory()
  stack.add({ stop: directory.remove })
  const running = stack.add(
    await startSandbox({ log: QUIET, now: Date.now, intentSeconds, endpointSeed: undefined }),
  )
  const attesterPort = await freePort()
  const trimmed = trim(running.network, `http://127.0.0.1:${attesterPort}`)
  const endpoint = running.endpoints.find(({ path }) => path === '/sandbox')
  // CAST: the sandbox's own description is what GET /sandbox answers.
  const sandbox = (await endpoint?.handle(undefined)) as Description
  const nodes = new Map(sandbox.chains.map(({ chainId, rpcUrl }) => [chainId, rpcUrl]))
  const network = Network.parse({
    ...trimmed,
    chains: trimmed.chains.map((chain) => ({
      ...chain,
      rpcUrls: [nodes.get(chain.chainId) ?? ''],
      trustSingleEndpoint: true,
    })),
  })
  const payers: Payer[] = []
  const kill = async (name: string): Promise<void> =>
    payers.find(({ process }) => process.name === name)?.process.kill()
  const gated = async (name: string): Promise<z.input<typeof Network>> =>
    stack.add(await startGates(name, trimmed, nodes, { meet, kill })).network
  const { simulatedChains } = running

  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(await gated('service')))
  const secrets = {
    KEEPER_PRIVATE_KEY: running.keeperPrivateKey,
    KEEPER_SECRETS: JSON.stringify(Object.fromEntries(running.keeperSecrets)),
    VAULT_SECRETS: JSON.stringify(Object.fromEntries(running.vaultSecrets)),
  }
  const service = stack.add(startService(port, directory.path, secrets))
  payers.push({ process: service, secrets: running.vaultSecrets })
  for (const [index, plan] of SOLVER_PLANS.entries()) {
    const keys = simulatedChains.map(
      ({ chain, solvers }) => [chain, solvers[index]?.privateKey ?? ''] as const,
    )
    const part = {
      serviceUrl: `ws://127.0.0.1:${port}/v1/solver`,
      network: await gated(plan.name),
      accounts: Object.fromEntries(keys.map(([{ chainType }, secret]) => [chainType, secret])),
      validForMs: VALID_FOR_MS,
    }
    const process = stack.add(startSolver(plan, directory.path, part))
    payers.push({ process, secrets: new Map(keys.map(([{ chainId }, secret]) => [chainId, secret])) })
  }
  const startAfter = Object.fromEntries(
    network.chains.map(({ chainId }) => [
      chainId,
      simulatedChains.find(({ chain }) => chain.chainId === chainId)?.firstBlock ?? 0,
    ]),
  )
  const cosigners = simulatedChains.flatMap(({ chain, cosigner }) =>
    cosigner === undefined ? [] : [[chain.chainId, cosigner.privateKey] as const],
  )
  const attester = stack.add(
    startAttester(directory.path, {
      network: await gated('attester'),
      startAfter,
      vaultSecrets: Object.fromEntries(cosigners),
      port: attesterPort,
    }),
  )
  payers.push({ process: attester, secrets: new Map() })
  await untilAnswered(url, service)
  return {
    url,
    network,
    chains: describe(sandbox, network),
    accountsOn: ({ chainType }) => sandbox.accounts.filter((account) => account.chainType === chainType),
    solversOn: ({ chainType }) =>
      (network.intent?.solvers ?? []).flatMap(({ address, accounts }) =>
        chainType === 'evm' ? [address] : (accounts?.[chainType] ?? []),
      ),
    simulatedChains,
    payers,
    moveClock: async (seconds) => {
      await running.endpoints.find(({ path }) => path === '/sandbox/clock')?.handle({ seconds })
    },
  }
}

/** Starts the world; resolves when the service answers. */
export const startPaymentKillWorld = async (
  intentSeconds: IntentSeconds,
  meet: Meet,
): Promise<PaymentKillWorld> => {
  const stack = createStack()
  try {
    return { ...(await start(stack, intentSeconds, meet)), stop: stack.stop }
  } catch (cause) {
    await stack.stop()
    throw cause
  }
}
