import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { pino } from 'pino'
import { browserNodes } from '../core/browser-node.ts'
import { ConfigError } from '../core/config-error.ts'
import { createMetricsServer } from '../http/metrics-server.ts'
import { type Pages, readPages } from '../http/pages.ts'
import { createHttpServer, type HttpServer } from '../http/server.ts'
import { systemClock } from '../lib/clock.ts'
import { type FollowedClock, followClock } from '../lib/follow-clock.ts'
import { type Lifecycle, startInOrder } from '../lib/lifecycle.ts'
import { describeError, type Log } from '../lib/log.ts'
import { logStages, type Stage } from '../lib/log-stages.ts'
import { onStopSignal } from '../lib/stop-signals.ts'
import { createThrottledLog } from '../lib/throttled-log.ts'
import type { Store } from '../store/store.ts'
import { createWebhooks } from '../webhooks/create-webhooks.ts'
import { assemble } from './assemble.ts'
import { createStartCheck } from './check/check-at-start.ts'
import { type Config, readConfig } from './config.ts'
import type { NetworkSource } from './network-source.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { reservePort } from './reserve-port.ts'
import { StartError } from './start-error.ts'

/** The pages of @openrfq/web as they are committed. */
const BUILT_PAGES = fileURLToPath(new URL('built', import.meta.resolve('@openrfq/web/package.json')))

const logTo = (level: Config['logLevel']): Log => {
  const logger = pino({ level, base: null }, pino.destination(2))
  return (severity, event, { error, ...fields } = {}) =>
    logger[severity]({ event, ...fields, ...(error === undefined ? {} : { error: describeError(error) }) })
}

type ServingDeps = {
  readonly config: Config
  readonly address: Server
  readonly networkSource: NetworkSource
  readonly server: HttpServer
  readonly log: Log
}

/**
 * The first and the last stage of serving. The first listens, prints the address, and gives it to the source of the network,
 * whose solvers connect while the chains are read. The first of the two to stop drains the requests while the parts that answer
 * them still run.
 */
const servingStages = ({ config, address, networkSource, server, log }: ServingDeps) => {
  let isListening = false
  let closed: Promise<void> | undefined
  const stop = (): Promise<void> => {
    closed ??= isListening ? server.close(config.drainMs) : Promise.resolve()
    return closed
  }
  const listening: Lifecycle = {
    start: async () => {
      const { port } = await server.listen(address)
      isListening = true
      const url = urlOf(config, port)
      greet(url, networkSource)
      networkSource
        .connect(url)
        .catch((error: unknown) => log('error', 'network_connection_failed', { error }))
    },
    stop,
  }
  return { listening, draining: { start: () => Promise.resolve(), stop } }
}

/**
 * Runs the service for a network. The returned function drains requests, closes the store, and stops the source of the
 * network last.
 */
const startService = async ({
  config,
  address,
  metricsAddress,
  store,
  networkSource,
  clock,
  stage,
  log,
}: {
  readonly config: Config
  /** Reserves the service's address until the service listens. */
  readonly address: Server
  /** Reserves the address of `/metrics`, if it has one of its own. */
  readonly metricsAddress: Server | undefined
  readonly store: Store
  readonly networkSource: NetworkSource
  readonly clock: FollowedClock
  readonly stage: Stage
  readonly log: Log
}): Promise<() => Promise<void>> => {
  // A client that polls one status repeats the same fault.
  const throttledLog = createThrottledLog(log, clock.steady)
  const webhooks = createWebhooks({
    webhooks: config.webhooks,
    randomId: randomUUID,
    store,
    now: systemClock.now,
    log: throttledLog,
  })
  const { useCases, metrics, solvers, heldDeposits, stages, background } = assemble({
    network: networkSource.network,
    store,
    keeperPrivateKey: config.keeperPrivateKey ?? networkSource.keeperPrivateKey,
    openerPrivateKey: config.openerPrivateKey,
    keeperSecrets: new Map([...networkSource.keeperSecrets, ...config.keeperSecrets]),
    vaultSecrets: new Map([...networkSource.vaultSecrets, ...config.vaultSecrets]),
    webhooks,
    backends: config.backends,
    clock,
    log: throttledLog,
    conditionLog: log,
    onWhole: () => sayReady(log),
  })
  const server = createHttpServer({
    useCases,
    extraEndpoints: networkSource.endpoints,
    localAccess: config.localAccess,
    withMetrics: metricsAddress === undefined,
    ...(solvers === undefined ? {} : { solvers }),
    pages: pagesOf(networkSource),
    rateLimited: config.rateLimited,
    quotesPerClientDay: config.quotesPerClientDay,
    trustProxy: config.trustProxy,
    ...{ now: clock.steady, wallTime: clock.now },
    randomId: randomUUID,
    log,
    metrics,
  })
  const { listening, draining } = servingStages({ config, address, networkSource, server, log })
  const metricsServer =
    metricsAddress === undefined
      ? []
      : [
          createMetricsServer({
            address: metricsAddress,
            metrics,
            webhooks,
            heldDeposits,
            localAccess: config.localAccess,
            ...{ now: clock.steady, wallTime: clock.now },
            randomId: randomUUID,
            log,
          }),
        ]
  return startInOrder([
    ...opened(networkSource.stop, clock.stop, store.close),
    ...metricsServer,
    // Listens while the chains are read for the first time, which takes seconds where endpoints do not answer.
    listening,
    ...[...stages].map(([name, part]) => ({ ...part, start: () => stage(name, part.start) })),
    ...background,
    draining,
    createStartCheck({ ...networkSource, keys: config, clock, log }),
  ])
}

const pagesOf = ({ sandboxOrigins, network }: NetworkSource): Pages => ({
  files: readPages(BUILT_PAGES),
  sandboxOrigins,
  nodes: browserNodes(network),
})

/** Open resources, closed in reverse order after everything that uses them. */
const opened = (...closing: readonly Lifecycle['stop'][]): readonly Lifecycle[] =>
  closing.map((stop) => ({ start: () => Promise.resolve(), stop }))

const urlOf = ({ host }: Config, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const greet = (url: string, { notices }: NetworkSource): void => {
  const lines = [
    `OpenRFQ is listening on ${url}`,
    `  console    ${url}/  (the page of a transfer: ${url}/t/<quoteId>)`,
    `  reference  ${url}/docs`,
    ...notices(url),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Says once that every part serves, with the seconds since the process started. */
const sayReady = (log: Log): void => {
  const seconds = Math.round(performance.now() / 100) / 10
  process.stdout.write(`Ready: all backends and chains quote, ${seconds} s after the start\n`)
  log('info', 'service_ready', { seconds })
}

/** Provides the network, which may take seconds to start; the service will listen at the address. */
type FindNetwork = (config: Config, log: Log, serviceUrl: string) => Promise<NetworkSource>

/** What server processes differ in: where the network comes from, and which store belongs to it. */
type ServerParts = { readonly findNetwork: FindNetwork; readonly open: OpenStore }

/** The time of a network. Throws StartError when its sandbox does not answer. */
const followTime = async ({ network }: NetworkSource, log: Log): Promise<FollowedClock> => {
  const processName = `service ${process.pid}`
  try {
    return await followClock({ url: network.sandboxClock, processName, clock: systemClock, log })
  } catch (cause) {
    throw new StartError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Checks configuration and port first, then starts store and chains side by side. */
const start = async (
  { findNetwork, open }: ServerParts,
  config: Config,
  log: Log,
): Promise<() => Promise<void>> => {
  const address = await reservePort(config)
  const { host, metricsPort: port } = config
  const metricsAddress =
    port === undefined ? undefined : await reservePort({ host, port, variable: 'METRICS_PORT' })
  const bound = address.address()
  assert.ok(typeof bound === 'object' && bound !== null)
  const stage = logStages({ log, now: systemClock.steady })
  const [store, networkSource] = await Promise.all([
    stage('store', () => open(config, log)),
    stage('network', () => findNetwork(config, log, urlOf(config, bound.port))),
  ])
  const clock = await followTime(networkSource, log)
  return startService({ config, address, metricsAddress, store, networkSource, clock, stage, log })
}

const runUntilSignal = async (parts: ServerParts): Promise<void> => {
  // A process started with an IPC channel ends when the channel closes.
  if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGHUP'))
  const config = readConfig(process.env)
  const log = logTo(config.logLevel)
  const stop = await start(parts, config, log)
  const shutDown = (signal: NodeJS.Signals): void => {
    log('info', 'service_stopping', { signal })
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'service_stop_failed', { error })
        process.exit(1)
      },
    )
  }
  onStopSignal({ stop: shutDown, force: () => process.exit(1), steady: systemClock.steady })
}

/**
 * The main function of a server process: reads the configuration, starts with the given network and its store, by default the
 * configured one, and stops at SIGTERM,
 * SIGINT and SIGHUP. Exits with code 2 for an invalid configuration and with 1 for any other failure, and prints the
 * reason.
 */
export const runProcess = (findNetwork: FindNetwork, open: OpenStore = openStore): void => {
  allocateYoung()
  runUntilSignal({ findNetwork, open }).catch((error: unknown) => {
    process.stderr.write(`OpenRFQ cannot start: ${describeFailure(error)}\n`)
    process.exit(error instanceof ConfigError ? 2 : 1)
  })
}

/**
 * Stops V8 from allocating at once in the old generation what outlived collections before. It decides so while the caches
 * fill, and from then on the garbage of requests waits there for a full collection, with all that it refers to: each minor
 * collection took 10 ms instead of one (docs/decisions/0083-garbage-of-requests.md).
 */
const allocateYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring')

/** One line for a problem that an operator can fix; a stack with all causes for a bug. */
const describeFailure = (error: unknown): string =>
  error instanceof ConfigError || error instanceof StartError ? error.message : inspect(error)
