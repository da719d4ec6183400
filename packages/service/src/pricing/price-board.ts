import type { Instant } from '../core/instant.ts'
import { createTokenMap, type TokenId } from '../core/token-map.ts'
import { backoffMs } from '../lib/backoff.ts'
import { inBackground, type Lifecycle, together } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import { type AgreedPrice, agreedPrice, type PriceBounds, type SourcedReading } from './agreed-price.ts'
import type { PriceFeed, TokenReading } from './price-feed.ts'
import type { PriceSource } from './price-source.ts'

type Deps = Omit<PriceBounds, 'now'> & {
  readonly feeds: readonly PriceFeed[]
  /** Prices that the operator fixed; no feed has to confirm them. */
  readonly fixed: PriceSource
  readonly refreshMs: number
  readonly now: () => Instant
  readonly log: Log
}

/** Prices in memory, read from feeds while it runs. */
export type PriceBoard = Lifecycle & { readonly priceOf: PriceSource }

/** A token's readings by feed, the price that they make, and whether they conflict: stale readings do not end a conflict. */
type Entry = { readonly readings: Map<string, SourcedReading>; agreed: AgreedPrice; isInConflict: boolean }

const MAXIMUM_RETRY_MS = 600_000

/** Creates a board without starting it. Each feed is read by itself, so that one that fails delays no other. */
export const createPriceBoard = (deps: Deps): PriceBoard => {
  const { feeds, fixed, refreshMs, now, log } = deps
  const entries = createTokenMap<Entry>()

  const judge = (token: TokenId, entry: Entry): AgreedPrice => {
    entry.agreed = agreedPrice([...entry.readings.values()], { ...deps, now: now() })
    const { chainId, address } = token
    if ('price' in entry.agreed) {
      if (entry.isInConflict) log('info', 'prices_agree', { chainId, token: address })
      entry.isInConflict = false
    } else if (entry.agreed.unpriced === 'conflict') {
      const sources = [...entry.readings.keys()]
      if (!entry.isInConflict) log('warn', 'prices_in_conflict', { chainId, token: address, sources })
      entry.isInConflict = true
    }
    return entry.agreed
  }
  const keep = ({ name, origin }: PriceFeed, { token, reading }: TokenReading): void => {
    const known = entries.get(token)
    const entry = known ?? {
      ...{ readings: new Map<string, SourcedReading>(), agreed: { unpriced: 'stale' } as const },
      isInConflict: false,
    }
    if (known === undefined) entries.set(token, entry)
    entry.readings.set(name, { ...reading, origin })
    judge(token, entry)
  }
  const pollerOf = (feed: PriceFeed): Lifecycle =>
    createPoller({
      name: 'price_feed',
      periodMs: refreshMs,
      retryMs: (failures) => backoffMs({ firstMs: refreshMs, maximumMs: MAXIMUM_RETRY_MS }, failures),
      run: async () => {
        for (const one of await feed.read()) keep(feed, one)
      },
      log,
      failureLevel: 'warn',
      fields: { feed: feed.name },
    })

  return {
    priceOf: (token) => {
      const fixedPrice = fixed(token)
      if (fixedPrice !== undefined) return fixedPrice
      const entry = entries.get(token)
      if (entry === undefined) return undefined
      const { agreed } = entry
      const current = 'price' in agreed && agreed.until < now() ? judge(token, entry) : agreed
      return 'price' in current ? current.price : undefined
    },
    ...together(feeds.map(pollerOf).map(inBackground)),
  }
}
