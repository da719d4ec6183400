import type { ChainId } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import { createBackends } from '../backends/create-backends.ts'
import { BACKENDS } from '../backends/index.ts'
import { createIntents, type Intents } from '../backends/intent/index.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import { canMoveMoney } from '../chains/rpc/quorum.ts'
import type { EvmPrivateKey } from '../core/evm-private-key.ts'
import type { Instant } from '../core/instant.ts'
import type { Network } from '../core/network.ts'
import { createMetrics, type Metrics } from '../http/metrics.ts'
import type { SolverNetwork } from '../intents/solver-api/solver-network.ts'
import type { Clock } from '../lib/clock.ts'
import { inBackground, type Lifecycle, together } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { PriceSource } from '../pricing/price-source.ts'
import { type Axelar, connectAxelar } from '../protocols/axelar/axelar.ts'
import { type Carriage, createCarriage } from '../protocols/axelar/carriage.ts'
import { type ChainHealth, createChainHealth } from '../service/chain-health.ts'
import { createClockComparison } from '../service/clock-comparison.ts'
import { backendsNeedingMessage, createUseCases } from '../service/create-use-cases.ts'
import { createHeldDeposits, type HeldDepositList, type HeldDeposits } from '../service/held-deposits.ts'
import { createListing, type Listing } from '../service/listing.ts'
import { createPricingDeadlines } from '../service/pricing-deadlines.ts'
import { createReadiness, type ReadinessWatch } from '../service/readiness.ts'
import { createRefresher, type TransferRefresher } from '../service/refresh-transfer.ts'
import { createKeeper } from '../service/refund.ts'
import { refusedAccounts } from '../service/refused-accounts.ts'
import type { RequestQuotesDeps } from '../service/request-quotes.ts'
import { createTransferNews } from '../service/transfer-news.ts'
import type { UseCases } from '../service/use-cases.ts'
import { createWatch } from '../service/watch.ts'
import type { Store } from '../store/store.ts'
import { createRepeatableSender, type RepeatableSender } from '../transactions/repeatable-sender.ts'
import { addressOfKey } from '../transactions/signer.ts'
import { createTransactionOutbox, type TransactionOutbox } from '../transactions/transaction-outbox.ts'
import type { Webhooks } from '../webhooks/create-webhooks.ts'
import { type Chains, connectChains } from './chains.ts'
import { deliveryConfirmations } from './delivery-finality.ts'
import { createPrices } from './prices.ts'
import { withoutIntentsByOneEndpoint } from './quorum-network.ts'
import { randomBits, randomHex } from './random.ts'
import { createVaults, type Vaults } from './vaults.ts'
import { watchAxelarCore } from './watch-axelar-core.ts'
import { watchFaults } from './watch-faults.ts'
import { watchWebhooks } from './watch-webhooks.ts'

/** Deadline of reading a transfer's state; then the last known state is answered. */
const TRACK_DEADLINE_MS = 3_000

type AssemblyDeps = {
  readonly network: Network
  readonly store: Store
  /** The key of the account that submits refunds on every EVM chain; undefined leaves them to others. */
  readonly keeperPrivateKey: EvmPrivateKey | undefined
  /** The key of the account that opens orders on EVM chains; undefined opens none. */
  readonly openerPrivateKey: EvmPrivateKey | undefined
  /** The secrets of the keeper's accounts on chains with an escrow program; one without leaves refunds to others. */
  readonly keeperSecrets: ReadonlyMap<ChainId, string>
  /** The secrets that sign for the vaults, by chain. */
  readonly vaultSecrets: ReadonlyMap<ChainId, string>
  readonly webhooks: Webhooks
  /** The types of the backends that quote; undefined for all. */
  readonly backends: ReadonlySet<string> | undefined
  readonly clock: Clock
  readonly log: Log
  /** The log of conditions that are told only when they begin and when they end. */
  readonly conditionLog: Log
  /** Called when everything that the network names serves for the first time. */
  readonly onWhole: () => void
}

/** The service below HTTP, not started. */
export type Assembly = {
  readonly useCases: UseCases
  readonly metrics: Metrics
  /** Where solvers connect; undefined if the operator names no solvers. */
  readonly solvers: SolverNetwork | undefined
  /** The deposits that wait for the operator. */
  readonly heldDeposits: HeldDepositList
  /** The parts of the service that the start waits for, by name, in the order in which they start. */
  readonly stages: ReadonlyMap<string, Lifecycle>
  /** Its other parts, which start after them. */
  readonly background: readonly Lifecycle[]
}

/** The intents of a network whose operator named solvers; none otherwise. */
const connectIntents = (
  { network, store, clock, log }: AssemblyDeps,
  chains: Chains,
  parts: {
    readonly prices: PriceSource
    readonly senders: KeeperSenders
    readonly submitsRefunds: (chainId: ChainId) => boolean
    readonly openers: ReadonlyMap<ChainId, TransactionOutbox>
    readonly carriage: Carriage | undefined
  },
): readonly Intents[] =>
  network.intent === undefined
    ? []
    : [
        createIntents({
          ...chains,
          ...parts,
          keepers: parts.senders,
          store,
          clock,
          log,
          terms: network.intent,
          serviceName: network.name,
          randomHex,
        }),
      ]

/** The account of a key on every EVM chain whose endpoints can agree; none if the operator gave no key. */
const outboxesOf = (
  privateKey: EvmPrivateKey | undefined,
  { store, clock: { now }, log, network }: AssemblyDeps,
  { evmChains }: Chains,
): ReadonlyMap<ChainId, TransactionOutbox> => {
  if (privateKey === undefined) return new Map()
  const outboxOf = (chain: EvmChain): TransactionOutbox =>
    createTransactionOutbox({ store, chain, privateKey, now, log })
  return new Map(
    network.chains.filter(canMoveMoney).flatMap(({ chainId }) => {
      const chain = evmChains.get(chainId)
      return chain === undefined ? [] : [[chainId, outboxOf(chain)] as const]
    }),
  )
}

type KeeperSenders = ReadonlyMap<ChainId, RepeatableSender>

/** The keeper's account on every chain with programs whose secret the operator gave. */
const keeperSenders = (
  { keeperSecrets, clock: { steady } }: AssemblyDeps,
  { paymentChains }: Chains,
): KeeperSenders =>
  new Map(
    [...keeperSecrets].flatMap(([chainId, secret]) => {
      const chain = paymentChains.get(chainId)
      return chain?.programs === undefined
        ? []
        : [[chainId, createRepeatableSender({ chain, secret, now: steady })] as const]
    }),
  )

/** The keeper's accounts by chain, and whether it has one on a chain. */
const keeperAccounts = (deps: AssemblyDeps, chains: Chains) => {
  const senders = keeperSenders(deps, chains)
  const outboxes = outboxesOf(deps.keeperPrivateKey, deps, chains)
  return {
    senders,
    outboxes,
    submitsRefunds: (chainId: ChainId): boolean => senders.has(chainId) || outboxes.has(chainId),
  }
}

const NOTHING = together([])

/** Axelar's servers, what it carries, and what compares their version with the one tested. */
const axelarOf = ({ network, clock, log }: AssemblyDeps, { evmChains }: Chains, metrics: Metrics) => {
  const { axelar: settings, chains } = network
  if (settings === undefined) return { axelar: undefined, carriage: undefined, coreWatch: NOTHING }
  const now = clock.steady
  const axelar = connectAxelar(settings, { now, log })
  const { routerAddress } = settings
  const carriage = createCarriage({ chains, evmChains, lcd: axelar.lcd, routerAddress, now, log })
  return { axelar, carriage, coreWatch: watchAxelarCore({ lcd: axelar.lcd, metrics, log }) }
}

const backendsOf = (
  deps: AssemblyDeps,
  chains: Chains,
  {
    axelar,
    carriage,
    intents,
    prices,
  }: {
    readonly axelar: Axelar | undefined
    readonly carriage: Carriage | undefined
    readonly intents: Intents | undefined
    readonly prices: PriceSource
  },
): readonly Backend[] => {
  const { store, keeperPrivateKey, clock, log } = deps
  const backendDeps = {
    ...chains,
    axelar,
    carriage,
    intents,
    deliveryConfirmations: deliveryConfirmations(chains.catalog, prices),
    store,
    keeper: keeperPrivateKey === undefined ? undefined : addressOfKey(keeperPrivateKey),
    randomHex,
    now: clock.steady,
    log,
  }
  return createBackends(BACKENDS, backendDeps, deps.backends)
}

/** The time of the newest block among the chains whose head is known. */
const newestTime = (
  chains: readonly { readonly head: () => { readonly timestampSeconds: number } | undefined }[],
): Instant | undefined => {
  const times = chains.flatMap(({ head }) => head()?.timestampSeconds ?? [])
  return times.length === 0 ? undefined : Math.max(...times) * 1000
}

/** How long the chains of a sandbox may be behind its clock after a move. */
const SANDBOX_GRACE_MS = 5_000

const createHealth = (
  { network, clock, conditionLog: log }: AssemblyDeps,
  chains: readonly (EvmChain | PaymentChain)[],
  intents: readonly Pick<Intents, 'indexed' | 'isCurrent' | 'historyFault'>[],
): ChainHealth => {
  const byId = new Map(chains.map((chain) => [chain.chainId, chain]))
  const isIndexed = (chainId: ChainId): boolean =>
    intents.every(({ indexed, isCurrent }) => !indexed.includes(chainId) || isCurrent(chainId))
  return createChainHealth({
    chainIds: [...byId.keys()],
    faultOf: (chainId) => {
      const chain = byId.get(chainId)
      if (chain?.head() === undefined)
        return chain?.isAheadOfClock() === true ? 'ahead_of_clock' : 'no_answer'
      const lost = intents
        .map(({ historyFault }) => historyFault(chainId))
        .find((fault) => fault !== undefined)
      return lost ?? (isIndexed(chainId) ? undefined : 'not_indexed')
    },
    clockFault: createClockComparison({
      chains,
      clock,
      graceMs: network.sandboxClock === undefined ? 0 : SANDBOX_GRACE_MS,
    }),
    log,
  })
}

/** The chains on which a vault holds payouts, and those of contradicted facts. */
const heldOn = (
  vaults: readonly Pick<Vaults, 'holding'>[],
  intents: readonly Pick<Intents, 'factCheck'>[],
): readonly ChainId[] => [
  ...new Set([
    ...vaults.flatMap(({ holding }) => holding()),
    ...intents.flatMap(({ factCheck }) => factCheck.held()),
  ]),
]

/** What hinders intents: solvers that do not quote, chains that the attester does not read, and chains with payouts held. */
const hindrances = (
  vaults: readonly Pick<Vaults, 'holding'>[],
  intents: readonly Pick<Intents, 'factCheck' | 'attesterFaults' | 'silentSolvers'>[],
): readonly string[] => [
  ...intents.flatMap(({ silentSolvers }) => silentSolvers()).map(({ name }) => `solver ${name}`),
  ...intents
    .flatMap(({ attesterFaults }) => attesterFaults())
    .flatMap(({ chainId, fault }) => (fault === undefined ? [] : [`attester ${chainId}`])),
  ...heldOn(vaults, intents).map((chainId) => `payouts ${chainId}`),
]

/** The watch of everything that the network names. */
const watchReadiness = (
  { store, clock, onWhole, log }: AssemblyDeps,
  { tokens }: Listing,
  parts: {
    readonly health: ChainHealth
    readonly vaults: Parameters<typeof hindrances>[0]
    readonly intents: Parameters<typeof hindrances>[1]
  },
): ReadinessWatch =>
  createReadiness({
    ping: store.ping,
    hasRoutes: tokens.length > 0,
    health: parts.health,
    hindrances: () => hindrances(parts.vaults, parts.intents),
    onWhole,
    clock,
    log,
  })

/** Whether a quorum of a chain's endpoints do not know a delivery, or call it reverted. */
const goneFrom =
  (evmChains: Chains['evmChains']) =>
  async (chainId: ChainId, txHash: string): Promise<boolean> => {
    const chain = evmChains.get(chainId)
    return chain !== undefined && (await chain.agreedReceipt(txHash))?.succeeded !== true
  }

/** A refresher that tells the followers of a status, and the webhooks, of each saved change. */
const connectRefresher = (
  { store, webhooks, clock, log }: AssemblyDeps,
  { evmChains }: Chains,
  backends: ReadonlyMap<string, Backend>,
  onSaved: (quoteId: string) => void,
): TransferRefresher =>
  createRefresher({
    store,
    backends,
    log,
    trackDeadlineMs: TRACK_DEADLINE_MS,
    isDeliveryGone: goneFrom(evmChains),
    now: clock.now,
    newsOf: createTransferNews({ backends, webhooks: webhooks.names, now: webhooks.now }),
    onSaved: ({ quoteId }) => {
      onSaved(quoteId)
      webhooks.wake()
    },
  })

/** The offers that every vault can serve. */
const offerableBy =
  (vaults: readonly Pick<Vaults, 'offerable'>[]): RequestQuotesDeps['offerable'] =>
  async (order, offers) => {
    let left = offers
    for (const { offerable } of vaults) left = await offerable(order, left)
    return left
  }

/** Tells the intents of the quotes that a client has got. */
const tellOfQuotes =
  (intents: readonly Pick<Intents, 'quoted'>[]): RequestQuotesDeps['quoted'] =>
  (order, shown) => {
    for (const { quoted } of intents) quoted(order, shown)
  }

const vaultsOf = (
  { vaultSecrets: secrets, store, clock: { now }, log }: AssemblyDeps,
  intents: readonly Intents[],
  hold: HeldDeposits['hold'],
): readonly Vaults[] => intents.map((one) => createVaults({ intents: one, secrets, store, hold, now, log }))

/** Puts the service together below HTTP. Throws `ConfigError` for a mistake of the operator. */
export const assemble = (configured: AssemblyDeps): Assembly => {
  const deps = { ...configured, network: withoutIntentsByOneEndpoint(configured.network, configured.log) }
  const { network, store, webhooks, clock, log } = deps
  const chains = connectChains(network, clock, log)
  const { catalog, evmChains, paymentChains } = chains
  const allChains = [...evmChains.values(), ...paymentChains.values()]
  const { priceOf: prices, ...priceFeeds } = createPrices(deps, chains)
  const keeper = keeperAccounts(deps, chains)
  const openers = outboxesOf(deps.openerPrivateKey, deps, chains)
  const metrics = createMetrics()
  const { coreWatch, ...carrier } = axelarOf(deps, chains, metrics)
  const intents = connectIntents(deps, chains, { ...keeper, ...carrier, prices, openers })
  const health = createHealth(deps, allChains, intents)
  const backends = backendsOf(deps, chains, { ...carrier, intents: intents[0], prices }).map(health.guard)
  const byType = new Map(backends.map((backend) => [backend.type, backend]))
  const held = createHeldDeposits({ store, now: clock.now, log })
  const vaults = vaultsOf(deps, intents, held.hold)
  watchFaults(metrics, { vaults, held }, intents, allChains)
  watchWebhooks(metrics, webhooks)
  const refresher = connectRefresher(deps, chains, byType, (quoteId) => statusFeed.changed(quoteId))
  for (const { onDeposit } of intents) onDeposit((quote) => refresher(quote, null).then(() => undefined))
  const listing = createListing(catalog, backends)
  const readiness = watchReadiness(deps, listing, { health, vaults, intents })
  const { useCases, statusFeed } = createUseCases({
    catalog,
    listing,
    refusedAccounts: refusedAccounts({ catalog, backends }),
    backends,
    store,
    refresher,
    prices,
    offerable: offerableBy(vaults),
    quoted: tellOfQuotes(intents),
    ...clock,
    trackDeadlineMs: TRACK_DEADLINE_MS,
    randomBits,
    log,
    backendAnswered: metrics.backendAnswered,
    deadlineMs: createPricingDeadlines(clock.steady),
    listSolvers: () => intents.flatMap((one) => one.listSolvers()),
    readiness: readiness.read,
  })
  const watch = createWatch({
    store,
    refresher,
    keeper: createKeeper({ ...keeper, backends: byType, log }),
    needsMessage: backendsNeedingMessage(backends),
    now: clock.now,
    chainTime: () => newestTime(allChains),
    log,
  })
  return {
    useCases,
    metrics,
    solvers: intents[0]?.solvers,
    heldDeposits: held,
    stages: new Map([
      ['chains', together([...allChains, priceFeeds])],
      ['backends', together([...backends, carrier.carriage ?? NOTHING])],
      ['outboxes', together([...keeper.outboxes.values(), ...openers.values()].map(inBackground))],
      ['vaults', together(vaults)],
    ]),
    background: [watch, statusFeed, health, webhooks, held, readiness, coreWatch].map(inBackground),
  }
}
