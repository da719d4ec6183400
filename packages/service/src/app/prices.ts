import type { Network, NetworkToken } from '../core/network.ts'
import { PriceSettings } from '../core/price-settings.ts'
import type { Clock } from '../lib/clock.ts'
import { createHttpClient, type HttpClient } from '../lib/http-client.ts'
import type { Log } from '../lib/log.ts'
import { fixedPrices } from '../pricing/fixed.ts'
import { coinGeckoFeed, defiLlamaFeed } from '../pricing/http-feeds.ts'
import { createPriceBoard, type PriceBoard } from '../pricing/price-board.ts'
import type { PriceFeed } from '../pricing/price-feed.ts'
import { createAxelarscan } from '../protocols/axelar/gmp.ts'
import { nativePriceFeed } from '../protocols/axelar/native-prices.ts'
import { onChainFeeds } from '../protocols/oracles/on-chain-feeds.ts'
import type { Chains } from './chains.ts'

type Deps = {
  readonly network: Network
  readonly clock: Clock
  readonly log: Log
}

/** The servers that the operator named. */
const serverFeeds = (
  { http, network: { axelar, chains }, clock, log }: Deps & { readonly http: HttpClient },
  tokens: readonly NetworkToken[],
  settings: PriceSettings,
): readonly PriceFeed[] => {
  const { defiLlama, coinGecko, axelarscan, maxAgeSeconds } = settings
  const deps = { http, tokens, maxAgeSeconds }
  return [
    ...(defiLlama === undefined ? [] : [defiLlamaFeed(deps, defiLlama)]),
    ...(coinGecko === undefined ? [] : [coinGeckoFeed(deps, coinGecko)]),
    ...(axelarscan && axelar !== undefined
      ? [
          nativePriceFeed({
            axelarscan: createAxelarscan({ urls: axelar.scanUrl, now: clock.steady, log }),
            ...{ chains, maxAgeSeconds, now: clock.now },
          }),
        ]
      : []),
  ]
}

/** The sources of prices that an operator named, and when what they say makes a price. `close` ends their connections. */
export const connectPriceFeeds = (
  deps: Deps,
  { tokens, evmChains }: Pick<Chains, 'evmChains'> & { readonly tokens: readonly NetworkToken[] },
) => {
  const settings = PriceSettings.parse(deps.network.prices ?? { enough: 1 })
  // A price that the operator set is never replaced by that of a price source.
  const unpriced = tokens.filter(({ usdPrice }) => usdPrice === undefined)
  const http = createHttpClient()
  return {
    settings,
    feeds: [...serverFeeds({ ...deps, http }, unpriced, settings), ...onChainFeeds(unpriced, evmChains)],
    close: http.close,
  }
}

/** The prices of a network's tokens by the sources that its operator named. */
export const createPrices = (deps: Deps, { catalog: { tokens }, evmChains }: Chains): PriceBoard => {
  const { settings, feeds, close } = connectPriceFeeds(deps, { tokens, evmChains })
  const board = createPriceBoard({
    feeds,
    fixed: fixedPrices(tokens),
    enough: settings.enough,
    agreementBps: settings.agreementBps,
    refreshMs: settings.refreshSeconds * 1000,
    now: deps.clock.now,
    log: deps.log,
  })
  return {
    ...board,
    stop: () => {
      close()
      return board.stop()
    },
  }
}
