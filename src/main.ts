import { randomBytes, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { pino } from 'pino'
import { createAxelarscan } from './axelar/gmp.ts'
import { createLcd } from './axelar/lcd.ts'
import type { Backend } from './backends/backend.ts'
import { gateway } from './backends/gateway/index.ts'
import { gatewayExpress } from './backends/gateway-express/index.ts'
import { createIntents, type Intents } from './backends/intent/index.ts'
import { its } from './backends/its/index.ts'
import { type Catalog, createCatalog } from './chains/catalog.ts'
import { contractsOf } from './chains/contracts-of.ts'
import { evmAddressRules } from './chains/evm/address.ts'
import type { EvmChain } from './chains/evm/evm-chain.ts'
import { createEvmChain } from './chains/evm/index.ts'
import { solanaAddressRules } from './chains/solana/address.ts'
import { stellarAddressRules } from './chains/stellar/address.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import type { ChainId } from './core/chain.ts'
import type { Log } from './core/log.ts'
import { Network } from './core/network.ts'
import type { QuoteRecord } from './core/quote-record.ts'
import type { ExtraEndpoint } from './http/extra-endpoints.ts'
import { createMetrics } from './http/metrics.ts'
import { createHttpServer } from './http/server.ts'
import { createSolverSocket, type SolverSocket } from './http/solver-socket.ts'
import { createOutbox, type Outbox } from './outbox/outbox.ts'
import { addressOfKey } from './outbox/signer.ts'
import { fixedPrices } from './pricing/fixed.ts'
import { backendsNeedingMessage, createUseCases } from './service/create-use-cases.ts'
import { createListing } from './service/listing.ts'
import { createRefresher } from './service/refresh-transfer.ts'
import { createKeeper } from './service/refund.ts'
import { startWatch } from './service/watch.ts'
import { openPostgresStore } from './store/postgres.ts'
import { openSqliteStore } from './store/sqlite.ts'
import type { Store } from './store/store.ts'

/** How long one backend may take to price before the answer goes out without it. */
const BACKEND_DEADLINE_MS = 800
/** How long the chains may take to tell about a transfer before the last known state is answered. */
const TRACK_DEADLINE_MS = 3_000

const RANDOM_POOL_BYTES = 2_560

/** The world the service runs against: configured, or the sandbox with its controls. */
type World = {
  readonly network: Network
  readonly endpoints: readonly ExtraEndpoint[]
  /** Of an account that may submit refunds, unless the operator names another. */
  readonly keeperPrivateKey: string | undefined
  /** Tells the world where the service listens. */
  readonly connect: (serviceUrl: string) => Promise<void>
  readonly stop: () => Promise<void>
}

const logTo = (level: Config['logLevel']): Log => {
  const logger = pino({ level, base: null }, pino.destination(2))
  return (severity, message, { error, ...fields } = {}) =>
    logger[severity]({ ...fields, ...(error === undefined ? {} : { err: error }) }, message)
}

const openWorld = async (config: Config, log: Log): Promise<World> => {
  if (config.network !== undefined)
    return {
      network: config.network,
      endpoints: [],
      keeperPrivateKey: undefined,
      connect: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    }
  const { startSandbox } = await import('./sandbox/index.ts')
  const sandbox = await startSandbox({ log, now: Date.now })
  return { ...sandbox, network: Network.parse(sandbox.network) }
}

const openStore = (config: Config, log: Log): Promise<Store> =>
  config.databaseUrl === undefined
    ? openSqliteStore({ directory: resolve(config.dataDirectory), log })
    : openPostgresStore({ url: config.databaseUrl, log })

const connectChains = (catalog: Catalog, log: Log): ReadonlyMap<ChainId, EvmChain> =>
  new Map(
    catalog.chains
      .filter(({ chainType }) => chainType === 'evm')
      .map(({ chainId, rpcUrls, finality }) => [
        chainId,
        createEvmChain({ chainId, rpcUrls, finality, now: Date.now, log }),
      ]),
  )

const axelarBackends = (
  catalog: Catalog,
  network: Network,
  evmChains: ReadonlyMap<ChainId, EvmChain>,
  store: Store,
  keeper: string | undefined,
  log: Log,
): readonly Backend[] => {
  if (network.axelar === undefined) return []
  const axelarscan = createAxelarscan({ url: network.axelar.scanUrl, now: Date.now, log })
  const lcd = createLcd({ url: network.axelar.lcdUrl, now: Date.now, log })
  const deps = { catalog, network, evmChains, axelarscan, now: Date.now, log }
  return [its(deps), gateway({ ...deps, lcd }), gatewayExpress({ ...deps, store, keeper, randomHex })]
}

/** The intents of a network whose operator named solvers. */
const connectIntents = (
  network: Network,
  deps: Pick<
    Parameters<typeof createIntents>[0],
    'catalog' | 'evmChains' | 'store' | 'prices' | 'onDeposit' | 'log'
  >,
): Intents | undefined =>
  network.intent === undefined
    ? undefined
    : createIntents({
        ...deps,
        terms: network.intent,
        serviceName: network.name,
        randomHex,
        now: Date.now,
      })

const solverSocketOf = (intents: Intents, { trustProxy }: Config): SolverSocket =>
  createSolverSocket({ network: intents.solvers, trustProxy, now: Date.now, randomId: randomUUID })

/** The keeper's account on every EVM chain; none when the operator gave no key. */
const createOutboxes = (
  privateKey: string | undefined,
  evmChains: ReadonlyMap<ChainId, EvmChain>,
  store: Store,
  log: Log,
): ReadonlyMap<ChainId, Outbox> => {
  if (privateKey === undefined) return new Map()
  const outboxOf = (chain: EvmChain): Outbox => createOutbox({ store, chain, privateKey, now: Date.now, log })
  return new Map([...evmChains].map(([chainId, chain]) => [chainId, outboxOf(chain)]))
}

/** Draws bytes from a pool: one call to the system's source is dearer than a whole quote. */
const createRandomBytes = (): ((length: number) => Buffer) => {
  let pool = Buffer.alloc(0)
  let used = 0
  return (length) => {
    if (used + length > pool.length) {
      pool = randomBytes(RANDOM_POOL_BYTES)
      used = 0
    }
    used += length
    return pool.subarray(used - length, used)
  }
}

const drawBytes = createRandomBytes()
const randomBits = (): bigint => {
  const bytes = drawBytes(10)
  return (bytes.readBigUInt64BE(0) << 16n) | BigInt(bytes.readUInt16BE(8))
}
const randomHex = (byteLength: number): string => drawBytes(byteLength).toString('hex')

const startAll = async (parts: readonly { readonly start: () => Promise<void> }[]): Promise<void> => {
  await Promise.all(parts.map((part) => part.start()))
}

/** Everything below HTTP, not started yet. */
const assemble = (world: World, store: Store, keeperPrivateKey: string | undefined, log: Log) => {
  const { network } = world
  const catalog = createCatalog(network, {
    evm: evmAddressRules,
    solana: solanaAddressRules,
    stellar: stellarAddressRules,
  })
  const evmChains = connectChains(catalog, log)
  const prices = fixedPrices(catalog.tokens)
  const onDeposit = async (quote: QuoteRecord): Promise<void> => {
    await refresher(quote, null)
  }
  const intents = connectIntents(network, { catalog, evmChains, store, prices, log, onDeposit })
  const keeper = keeperPrivateKey === undefined ? undefined : addressOfKey(keeperPrivateKey)
  const backends = [
    ...(intents === undefined ? [] : [intents.backend]),
    ...axelarBackends(catalog, network, evmChains, store, keeper, log),
  ]
  const byType = new Map(backends.map((backend) => [backend.type, backend]))
  const metrics = createMetrics()
  const refresher = createRefresher({ store, backends: byType, log, trackDeadlineMs: TRACK_DEADLINE_MS })
  const useCases = createUseCases({
    catalog,
    listing: createListing(catalog, backends),
    contracts: contractsOf(catalog),
    backends,
    store,
    refresher,
    prices,
    now: Date.now,
    randomBits,
    log,
    backendAnswered: metrics.backendAnswered,
    backendDeadlineMs: BACKEND_DEADLINE_MS,
    unreadableChains: () =>
      [...evmChains.values()].filter((chain) => chain.head() === undefined).map(({ chainId }) => chainId),
  })
  return { evmChains, intents, backends, byType, metrics, refresher, useCases }
}

/** Runs the service until the returned function is called; that drains requests first and closes the store last. */
const startService = async (config: Config, log: Log): Promise<() => Promise<void>> => {
  const world = await openWorld(config, log)
  const store = await openStore(config, log)
  const keeperPrivateKey = config.keeperPrivateKey ?? world.keeperPrivateKey
  const { evmChains, intents, backends, byType, metrics, refresher, useCases } = assemble(
    world,
    store,
    keeperPrivateKey,
    log,
  )
  await startAll([...evmChains.values()])
  await startAll(intents === undefined ? backends : [...backends, intents])
  let isConnected = false
  const server = createHttpServer({
    useCases: {
      ...useCases,
      readiness: () =>
        isConnected ? useCases.readiness() : Promise.resolve({ ready: false, missing: ['solvers'] }),
    },
    extraEndpoints: world.endpoints,
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
  const keeper = createKeeper({ backends: byType, outboxes, log })
  const watch = startWatch({ store, refresher, keeper, needsMessage, now: Date.now, log })
  const { port } = await server.listen({ host: config.host, port: config.port })
  await world.connect(urlOf(config, port))
  isConnected = true
  greet(config, port)
  return async () => {
    await server.close(config.drainMs)
    await watch.stop()
    await Promise.all([...outboxes.values()].map((outbox) => outbox.stop()))
    await intents?.stop()
    for (const part of [...backends, ...evmChains.values()]) part.stop()
    await store.close()
    await world.stop()
  }
}

const urlOf = ({ host }: Config, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const greet = (config: Config, port: number): void => {
  const url = urlOf(config, port)
  const lines = [
    `OpenRFQ is listening on ${url}`,
    `  reference  ${url}/docs`,
    ...(config.network === undefined
      ? [`  sandbox    ${url}/sandbox  (local chains; the keys it shows are public)`]
      : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const main = async (): Promise<void> => {
  const config = readConfig(process.env)
  const log = logTo(config.logLevel)
  const stop = await startService(config, log)
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

main().catch((error: unknown) => {
  const text = error instanceof ConfigError ? error.message : error
  process.stderr.write(
    `OpenRFQ cannot start: ${text instanceof Error ? (text.stack ?? text.message) : String(text)}\n`,
  )
  process.exit(error instanceof ConfigError ? 2 : 1)
})
