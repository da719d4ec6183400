import type { ChainId } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import { gateway } from '../backends/gateway/index.ts'
import { gatewayExpress } from '../backends/gateway-express/index.ts'
import { createIntents, type Intents } from '../backends/intent/index.ts'
import { its } from '../backends/its/index.ts'
import type { Catalog } from '../chains/catalog.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { Network } from '../core/network.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { createMetrics } from '../http/metrics.ts'
import type { Log } from '../lib/log.ts'
import { fixedPrices } from '../pricing/fixed.ts'
import { createAxelarscan } from '../protocols/axelar/gmp.ts'
import { createLcd } from '../protocols/axelar/lcd.ts'
import { createUseCases } from '../service/create-use-cases.ts'
import { createListing } from '../service/listing.ts'
import { createRefresher } from '../service/refresh-transfer.ts'
import { refusedAccounts } from '../service/refused-accounts.ts'
import type { Store } from '../store/store.ts'
import { addressOfKey } from '../transactions/signer.ts'
import { connectChains } from './chains.ts'
import type { NetworkSource } from './network-source.ts'
import { randomBits, randomHex } from './random.ts'

/** How long one backend may take to price before the answer goes out without it. */
const BACKEND_DEADLINE_MS = 800
/** How long the chains may take to tell about a transfer before the last known state is answered. */
const TRACK_DEADLINE_MS = 3_000

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
    'catalog' | 'evmChains' | 'paymentChains' | 'store' | 'prices' | 'onDeposit' | 'log'
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

/** Everything below HTTP, not started yet. */
export const assemble = (
  networkSource: NetworkSource,
  store: Store,
  keeperPrivateKey: string | undefined,
  log: Log,
) => {
  const { network } = networkSource
  const chains = connectChains(network, log)
  const { catalog, evmChains, paymentChains } = chains
  const prices = fixedPrices(catalog.tokens)
  const onDeposit = async (quote: QuoteRecord): Promise<void> => {
    await refresher(quote, null)
  }
  const intents = connectIntents(network, { ...chains, store, prices, log, onDeposit })
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
    refusedAccounts: refusedAccounts({ catalog, backends }),
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
      [...evmChains.values(), ...paymentChains.values()]
        .filter((chain) => chain.head() === undefined)
        .map(({ chainId }) => chainId),
  })
  return { evmChains, paymentChains, intents, backends, byType, metrics, refresher, useCases }
}
