import { backoffMs } from 'openrfq/lib/backoff'
import { together } from 'openrfq/lib/lifecycle'
import type { Log } from 'openrfq/lib/log'
import { createPoller, type Poller } from 'openrfq/lib/poller'
import { privateKeyToAddress } from 'viem/accounts'
import type { Deployment } from '../deployment.ts'
import type { GatewayAsset, Hex, ReceivingChain, SandboxChain, SignerSet } from '../deployment-types.ts'
import { coreQueries } from './core-queries.ts'
import { type CoreState, createCoreState } from './core-state.ts'
import { createEngine, type Engine } from './engine.ts'
import { type RelayGas, sandboxGas } from './gas.ts'
import { createHubState, type HubState } from './hub-state.ts'
import { noteSent } from './note-sent.ts'
import { openExpress } from './open-express.ts'
import { createRelayHistory, type RelayHistory } from './relay-history.ts'
import { executeRefused } from './relay-message.ts'
import { scanMethods } from './scan.ts'
import { createScanServer } from './scan-server.ts'
import { settle } from './settle.ts'
import { SMART_QUERY, smartQuery } from './smart-query.ts'
import { retryFailedEvents } from './through-core.ts'

/**
 * Plays Axelar for the sandbox's chains: carries messages and tokens, and answers like Axelarscan and Axelar's REST
 * node.
 */
export type Relayer = {
  /** Watches the chains from their present blocks on and listens on a free local port. Resolves with the base URL. */
  readonly start: () => Promise<{ readonly url: string }>
  readonly stop: () => Promise<void>
  /** Stops carrying; chains are still watched and requests answered. */
  readonly pause: () => Promise<void>
  readonly resume: () => void
  /** Switches express deliveries on or off; queued messages are still delivered. */
  readonly setExpress: (isOn: boolean) => void
  /** The troubles of the hub and the router. */
  readonly hub: Pick<HubState, 'force' | 'clear'>
  /** Executes every message that the hub refused once more, as any account may. */
  readonly executeAtHub: () => void
  /** The state of axelar-core, which controls force. */
  readonly core: CoreState
  /** Retries every event that has failed at axelar-core. */
  readonly retryFailedEvents: () => void
  /** Resolves when all earlier messages are carried as far as possible; rejects after half a minute. */
  readonly settle: () => Promise<void>
}

export type RelayerDeps = {
  readonly chains: readonly SandboxChain[]
  /** Chains that only receive interchain tokens; none by default. */
  readonly receivers?: readonly ReceivingChain[]
  /** The Axelar name of the receiver whose gas is paid in lamports. */
  readonly solanaName?: string
  readonly assets: readonly GatewayAsset[]
  /** The deployed tokens, whose interchain tokens the hub knows. */
  readonly tokens: Deployment['tokens']
  readonly signerSet: SignerSet
  /** The key that pays for the relayer's transactions on every chain; no other process may send with it. */
  readonly relayerKey: Hex
  /** The express executor's key; without one there are no express deliveries. No other process may send with it. */
  readonly executorKey?: Hex
  /** Relay prices; by default the sandbox's fixed ones. */
  readonly gas?: RelayGas
  readonly log: Log
  readonly now: () => number
  /** Confirmations before a message is carried; 1 by default. */
  readonly confirmations?: number
  /** Confirmations of single chains that differ, by Axelar name. */
  readonly slowFinality?: Readonly<Record<string, number>>
}

const WATCH_MS = 250
const WORK_MS = 100
const LONGEST_PAUSE_MS = 5_000
const HISTORY = 10_000
const SETTLE_DEADLINE_MS = 30_000
const CONFIRMATIONS = 1

/** Creates pollers that back off while they fail. */
const pollersWith =
  (log: Log) =>
  (name: string, chain: string, periodMs: number, run: () => Promise<void>): Poller =>
    createPoller({
      name,
      periodMs,
      retryMs: (failures) => backoffMs({ firstMs: 2 * periodMs, maximumMs: LONGEST_PAUSE_MS }, failures),
      run,
      log,
      fields: { chain },
      failureLevel: 'warn',
    })

const namesOf = (chains: readonly { readonly axelarName: string }[]): readonly string[] =>
  chains.map(({ axelarName }) => axelarName)

/** The pollers that read the chains, and those that carry messages to them. */
const createPollers = (
  { chains, receivers = [], log, now }: RelayerDeps,
  { followed, courier }: Engine,
  express: ReturnType<typeof openExpress>,
  { history, paused }: { readonly history: RelayHistory; readonly paused: () => boolean },
) => {
  const pollerOf = pollersWith(log)
  const names = namesOf(chains)
  const reading = [
    ...followed.map(({ chain, watcher }) =>
      pollerOf('relay_watch', chain.axelarName, WATCH_MS, watcher.step),
    ),
    ...receivers.map((chain) =>
      pollerOf('relay_watch', chain.axelarName, WATCH_MS, () => noteSent(chain, history, now())),
    ),
    ...express.watchers.map(({ name, watcher }) => pollerOf('express_watch', name, WATCH_MS, watcher.step)),
  ]
  const working = [
    ...express.watchers.map(({ name }) =>
      pollerOf('express_work', name, WORK_MS, async () => (paused() ? undefined : express.work(name))),
    ),
    pollerOf('relay_work', 'hub', WORK_MS, () => courier.workElsewhere(new Set(names))),
    ...names.map((name) => pollerOf('relay_work', name, WORK_MS, () => courier.work(name))),
  ]
  return { reading, working }
}

type Answering = {
  readonly hub: HubState
  readonly core: CoreState
  readonly gas: RelayGas
  readonly history: RelayHistory
  readonly express: Pick<ReturnType<typeof openExpress>, 'expressTxHashOf'>
}

/** What the relayer answers as Axelarscan and as a node of Axelar, by path. */
const answersOf = (
  { chains, receivers = [], assets, relayerKey, tokens }: RelayerDeps,
  { hub, core, gas, history, express: { expressTxHashOf } }: Answering,
) => {
  const relayerAddress = privateKeyToAddress(relayerKey)
  return new Map([
    ...scanMethods({ chains, history, gas, assets, relayerAddress, expressTxHashOf }),
    ...coreQueries({ chains, history, assets, core, tokens }),
    [SMART_QUERY, smartQuery({ hub, chains, receivers, history })] as const,
  ])
}

/** Creates a relayer without starting it. Its history is in memory and ends with the process. */
export const createRelayer = (deps: RelayerDeps): Relayer => {
  const { chains, log, receivers = [] } = deps
  const gas = deps.gas ?? sandboxGas(namesOf([...chains, ...receivers]), deps.solanaName)
  const history = createRelayHistory(HISTORY)
  const confirmationsOf = (name: string): number =>
    deps.slowFinality?.[name] ?? deps.confirmations ?? CONFIRMATIONS
  let isStarted = false
  let paused = false
  let isExpressOn = true
  const hub = createHubState()
  const core = createCoreState()
  const engine = createEngine({
    ...{ ...deps, gas, history, hub, core, confirmationsOf },
    paused: () => paused,
  })
  const { followed, courier, registerTokens } = engine

  const express = openExpress({ ...deps, gas, isOn: () => isExpressOn })
  const { reading, working } = createPollers(deps, engine, express, { history, paused: () => paused })
  const running = together([...reading, ...working])
  const server = createScanServer(answersOf(deps, { hub, core, gas, history, express }), log)

  return {
    start: async () => {
      await Promise.all([
        registerTokens(),
        ...[...followed, ...express.watchers].map(({ watcher }) => watcher.step()),
      ])
      isStarted = true
      void running.start()
      return { url: await server.start() }
    },
    stop: async () => {
      isStarted = false
      await running.stop()
      await server.stop()
    },
    pause: async () => {
      paused = true
      await together(working).stop()
    },
    resume: () => {
      paused = false
      if (isStarted) void together(working).start()
    },
    setExpress: (isOn) => {
      isExpressOn = isOn
    },
    hub,
    executeAtHub: () => executeRefused(history),
    core,
    retryFailedEvents: () => retryFailedEvents(history),
    settle: () =>
      settle({
        watchers: followed.map(({ watcher }) => watcher),
        isBusy: () => !paused && courier.isBusy(),
        deadlineMs: SETTLE_DEADLINE_MS,
      }),
  }
}
