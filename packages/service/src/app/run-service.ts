import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { pino } from 'pino'
import type { Intents } from '../backends/intent/index.ts'
import { createHttpServer } from '../http/server.ts'
import { createSolverSocket, type SolverSocket } from '../http/solver-socket.ts'
import type { Log } from '../lib/log.ts'
import { backendsNeedingMessage } from '../service/create-use-cases.ts'
import { createKeeper } from '../service/refund.ts'
import { startWatch } from '../service/watch.ts'
import { openPostgresStore } from '../store/postgres.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { assemble } from './assemble.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import type { NetworkSource } from './network-source.ts'
import { createOutboxes } from './outboxes.ts'
import { createVaults } from './vaults.ts'

const logTo = (level: Config['logLevel']): Log => {
  const logger = pino({ level, base: null }, pino.destination(2))
  return (severity, message, { error, ...fields } = {}) =>
    logger[severity]({ ...fields, ...(error === undefined ? {} : { err: error }) }, message)
}

const openStore = (config: Config, log: Log): Promise<Store> =>
  config.databaseUrl === undefined
    ? openSqliteStore({ directory: resolve(config.dataDirectory), log })
    : openPostgresStore({ url: config.databaseUrl, log })

const solverSocketOf = (intents: Intents, { trustProxy }: Config): SolverSocket =>
  createSolverSocket({ network: intents.solvers, trustProxy, now: Date.now, randomId: randomUUID })

const startAll = async (parts: readonly { readonly start: () => Promise<void> }[]): Promise<void> => {
  await Promise.all(parts.map((part) => part.start()))
}

/**
 * Runs the service for a network until the returned function is called: that drains requests first, closes the store, and
 * stops the source of the network last.
 */
export const startService = async (
  config: Config,
  networkSource: NetworkSource,
  log: Log,
): Promise<() => Promise<void>> => {
  const store = await openStore(config, log)
  const keeperPrivateKey = config.keeperPrivateKey ?? networkSource.keeperPrivateKey
  const { evmChains, paymentChains, intents, backends, byType, metrics, refresher, useCases } = assemble(
    networkSource,
    store,
    keeperPrivateKey,
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
    ...(intents === undefined ? {} : { solverSocket: solverSocketOf(intents, config) }),
    rateLimited: config.rateLimited,
    trustProxy: config.trustProxy,
    now: Date.now,
    randomId: randomUUID,
    log,
    metrics,
  })
  const needsMessage = backendsNeedingMessage(backends)
  const outboxes = createOutboxes(keeperPrivateKey, evmChains, store, log)
  for (const outbox of outboxes.values()) outbox.start()
  const secrets = new Map([...networkSource.vaultSecrets, ...config.vaultSecrets])
  const vaults = intents === undefined ? undefined : createVaults({ intents, secrets, store, log })
  vaults?.start()
  const keeper = createKeeper({ backends: byType, outboxes, log })
  const watch = startWatch({ store, refresher, keeper, needsMessage, now: Date.now, log })
  const { port } = await server.listen({ host: config.host, port: config.port })
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
    await networkSource.stop()
  }
}

const urlOf = ({ host }: Config, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const greet = (url: string, { notices }: NetworkSource): void => {
  const lines = [`OpenRFQ is listening on ${url}`, `  reference  ${url}/docs`, ...notices(url)]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const runUntilSignal = async (
  start: (config: Config, log: Log) => Promise<() => Promise<void>>,
): Promise<void> => {
  const config = readConfig(process.env)
  const log = logTo(config.logLevel)
  const stop = await start(config, log)
  let stopping = false
  const shutDown = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1)
    stopping = true
    log('info', 'shutting down', { signal })
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'shutting down failed', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', shutDown)
  process.on('SIGINT', shutDown)
}

/**
 * The main function of a process that serves: reads the configuration, starts, and stops at SIGTERM and SIGINT. Ends the
 * process with code 2 for a mistake in the configuration and with 1 for any other failure, and says which.
 */
export const runProcess = (start: (config: Config, log: Log) => Promise<() => Promise<void>>): void => {
  runUntilSignal(start).catch((error: unknown) => {
    const text = error instanceof ConfigError ? error.message : error
    process.stderr.write(
      `OpenRFQ cannot start: ${text instanceof Error ? (text.stack ?? text.message) : String(text)}\n`,
    )
    process.exit(error instanceof ConfigError ? 2 : 1)
  })
}
