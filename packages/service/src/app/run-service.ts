import { randomUUID } from 'node:crypto'
import type { Server } from 'node:net'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { ConfigError } from '../core/config-error.ts'
import { createHttpServer } from '../http/server.ts'
import { systemClock } from '../lib/clock.ts'
import { type FollowedClock, followClock } from '../lib/follow-clock.ts'
import type { Log } from '../lib/log.ts'
import { onStopSignal } from '../lib/stop-signals.ts'
import { backendsNeedingMessage } from '../service/create-use-cases.ts'
import { createKeeper } from '../service/refund.ts'
import { startWatch } from '../service/watch.ts'
import type { Store } from '../store/store.ts'
import { assemble } from './assemble.ts'
import { type Config, readConfig } from './config.ts'
import type { NetworkSource } from './network-source.ts'
import { openStore } from './open-store.ts'
import { createOutboxes } from './outboxes.ts'
import { reservePort } from './reserve-port.ts'
import { StartError } from './start-error.ts'
import { createVaults } from './vaults.ts'

const logTo = (level: Config['logLevel']): Log => {
  const logger = pino({ level, base: null }, pino.destination(2))
  return (severity, message, { error, ...fields } = {}) =>
    logger[severity]({ ...fields, ...(error === undefined ? {} : { err: error }) }, message)
}

const startAll = async (parts: readonly { readonly start: () => Promise<void> }[]): Promise<void> => {
  await Promise.all(parts.map((part) => part.start()))
}

/**
 * Runs the service for a network. The returned function drains requests, closes the store, and stops the source of the
 * network last.
 */
const startService = async ({
  config,
  address,
  store,
  networkSource,
  clock,
  log,
}: {
  readonly config: Config
  /** Reserves the service's address until the service listens. */
  readonly address: Server
  readonly store: Store
  readonly networkSource: NetworkSource
  readonly clock: FollowedClock
  readonly log: Log
}): Promise<() => Promise<void>> => {
  const { now } = clock
  const keeperPrivateKey = config.keeperPrivateKey ?? networkSource.keeperPrivateKey
  const { evmChains, paymentChains, intents, backends, byType, metrics, refresher, useCases } = assemble(
    networkSource,
    store,
    keeperPrivateKey,
    clock,
    log,
  )
  await startAll([...evmChains.values(), ...paymentChains.values()])
  await startAll(intents === undefined ? backends : [...backends, intents])
  let isConnected = false
  const server = createHttpServer({
    useCases: {
      ...useCases,
      readiness: () =>
        isConnected ? useCases.readiness() : Promise.resolve({ ready: false, missing: ['solvers'] }),
    },
    extraEndpoints: networkSource.endpoints,
    ...(intents === undefined ? {} : { solvers: intents.solvers }),
    rateLimited: config.rateLimited,
    trustProxy: config.trustProxy,
    now: clock.steady,
    randomId: randomUUID,
    log,
    metrics,
  })
  const needsMessage = backendsNeedingMessage(backends)
  const outboxes = createOutboxes(keeperPrivateKey, evmChains, store, now, log)
  for (const outbox of outboxes.values()) outbox.start()
  const secrets = new Map([...networkSource.vaultSecrets, ...config.vaultSecrets])
  const vaults = intents === undefined ? undefined : createVaults({ intents, secrets, store, now, log })
  vaults?.start()
  const keeper = createKeeper({ backends: byType, outboxes, log })
  const watch = startWatch({ store, refresher, keeper, needsMessage, now, log })
  const { port } = await server.listen(address)
  await networkSource.connect(urlOf(config, port))
  isConnected = true
  greet(urlOf(config, port), networkSource)
  return async () => {
    await server.close(config.drainMs)
    await watch.stop()
    await vaults?.stop()
    await Promise.all([...outboxes.values()].map((outbox) => outbox.stop()))
    await intents?.stop()
    for (const part of [...backends, ...evmChains.values(), ...paymentChains.values()]) part.stop()
    await store.close()
    await clock.stop()
    await networkSource.stop()
  }
}

const urlOf = ({ host }: Config, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const greet = (url: string, { notices }: NetworkSource): void => {
  const lines = [`OpenRFQ is listening on ${url}`, `  reference  ${url}/docs`, ...notices(url)]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Provides the network, which may take seconds to start. */
type FindNetwork = (config: Config, log: Log) => Promise<NetworkSource>

/** The time of a network. Throws StartError when its sandbox does not answer. */
const followTime = async ({ network }: NetworkSource, log: Log): Promise<FollowedClock> => {
  const processName = `service ${process.pid}`
  try {
    return await followClock({ url: network.sandboxClock, processName, clock: systemClock, log })
  } catch (cause) {
    throw new StartError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Checks what fails fastest first: the configuration, the port, the store, and only then chains. */
const start = async (findNetwork: FindNetwork, config: Config, log: Log): Promise<() => Promise<void>> => {
  const address = await reservePort(config)
  const store = await openStore(config, log)
  const networkSource = await findNetwork(config, log)
  const clock = await followTime(networkSource, log)
  return startService({ config, address, store, networkSource, clock, log })
}

const runUntilSignal = async (findNetwork: FindNetwork): Promise<void> => {
  const config = readConfig(process.env)
  const log = logTo(config.logLevel)
  const stop = await start(findNetwork, config, log)
  const shutDown = (signal: NodeJS.Signals): void => {
    log('info', 'shutting down', { signal })
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'shutting down failed', { error })
        process.exit(1)
      },
    )
  }
  onStopSignal({ stop: shutDown, force: () => process.exit(1) })
}

/**
 * The main function of a server process: reads the configuration, starts with the given network, and stops at SIGTERM,
 * SIGINT and SIGHUP. Exits with code 2 for an invalid configuration and with 1 for any other failure, and prints the
 * reason.
 */
export const runProcess = (findNetwork: FindNetwork): void => {
  runUntilSignal(findNetwork).catch((error: unknown) => {
    process.stderr.write(`OpenRFQ cannot start: ${describeFailure(error)}\n`)
    process.exit(error instanceof ConfigError ? 2 : 1)
  })
}

/** One line for a problem that an operator can fix; a stack with all causes for a bug. */
const describeFailure = (error: unknown): string =>
  error instanceof ConfigError || error instanceof StartError ? error.message : inspect(error)
