import { createBackends } from '../backends/create-backends.ts'
import { BACKENDS } from '../backends/index.ts'
import { createIntents, type Intents } from '../backends/intent/index.ts'
import type { Network } from '../core/network.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { createMetrics } from '../http/metrics.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { fixedPrices } from '../pricing/fixed.ts'
import { connectAxelar } from '../protocols/axelar/axelar.ts'
import { createUseCases } from '../service/create-use-cases.ts'
import { createListing } from '../service/listing.ts'
import { createRefresher } from '../service/refresh-transfer.ts'
import { refusedAccounts } from '../service/refused-accounts.ts'
import type { Store } from '../store/store.ts'
import { addressOfKey } from '../transactions/signer.ts'
import { connectChains } from './chains.ts'
import type { NetworkSource } from './network-source.ts'
import { randomBits, randomHex } from './random.ts'

/** Deadline of one backend's price; then the answer goes out without it. */
const BACKEND_DEADLINE_MS = 800
/** Deadline of reading a transfer's state; then the last known state is answered. */
const TRACK_DEADLINE_MS = 3_000

/** Builds intents if the operator's network names solvers. */
const connectIntents = (
  network: Network,
  deps: Pick<
    Parameters<typeof createIntents>[0],
    'catalog' | 'evmChains' | 'paymentChains' | 'store' | 'prices' | 'onDeposit' | 'clock' | 'log'
  >,
): Intents | undefined =>
  network.intent === undefined
    ? undefined
    : createIntents({
        ...deps,
        terms: network.intent,
        serviceName: network.name,
        randomHex,
      })

/** Everything below HTTP, not started. */
export const assemble = (
  networkSource: NetworkSource,
  store: Store,
  keeperPrivateKey: string | undefined,
  clock: Clock,
  log: Log,
) => {
  const { network } = networkSource
  const chains = connectChains(network, clock, log)
  const { catalog, evmChains, paymentChains } = chains
  const prices = fixedPrices(catalog.tokens)
  const onDeposit = async (quote: QuoteRecord): Promise<void> => {
    await refresher(quote, null)
  }
  const intents = connectIntents(network, { ...chains, store, prices, clock, log, onDeposit })
  const keeper = keeperPrivateKey === undefined ? undefined : addressOfKey(keeperPrivateKey)
  const axelar =
    network.axelar === undefined ? undefined : connectAxelar(network.axelar, { now: clock.steady, log })
  const backends = createBackends(BACKENDS, {
    catalog,
    evmChains,
    axelar,
    intents,
    store,
    keeper,
    randomHex,
    now: clock.steady,
    log,
  })
  const byType = new Map(backends.map((backend) => [backend.type, backend]))
  const metrics = createMetrics()
  const refresher = createRefresher({ store, backends: byType, log, trackDeadlineMs: TRACK_DEADLINE_MS })
  const useCases = createUseCases({
    catalog,
    listing: createListing(catalog, backends),
    refusedAccounts: refusedAccounts({ catalog, backends }),
    backends,
    store,
    refresher,
    prices,
    now: clock.now,
    randomBits,
    log,
    backendAnswered: metrics.backendAnswered,
    backendDeadlineMs: BACKEND_DEADLINE_MS,
    unreadableChains: () =>
      [...evmChains.values(), ...paymentChains.values()]
        .filter((chain) => chain.head() === undefined)
        .map(({ chainId }) => chainId),
  })
  return { evmChains, paymentChains, intents, backends, byType, metrics, refresher, useCases }
}
