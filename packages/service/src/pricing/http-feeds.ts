import { z } from 'zod'
import type { Instant } from '../core/instant.ts'
import type { NetworkToken } from '../core/network.ts'
import type { PriceSettings } from '../core/price-settings.ts'
import type { HttpClient } from '../lib/http-client.ts'
import type { PriceFeed, TokenReading } from './price-feed.ts'
import type { UsdPrice } from './price-source.ts'
import { usdPrice } from './usd.ts'

type Deps = {
  readonly http: HttpClient
  readonly tokens: readonly NetworkToken[]
  readonly maxAgeSeconds: number
}

const DEADLINE_MS = 10_000
const MAX_BYTES = 1024 * 1024
/** Ids of one request, whose URL stays below what servers accept. */
const IDS_PER_REQUEST = 50

/** A positive price as JSON numbers tell it. */
const Price = z.number().positive().max(1e12)
const Seconds = z.number().int().nonnegative().max(1e11)

/** A quoted price and the second at which it was so. */
type Quoted = { readonly price: number; readonly seconds: number }

const priceOf = (price: number): UsdPrice => usdPrice(String(price)) ?? 0n

/** The tokens by the id under which a server knows them. */
const tokensById = (
  tokens: readonly NetworkToken[],
  idOf: (token: NetworkToken) => string | undefined,
): ReadonlyMap<string, readonly NetworkToken[]> => {
  const byId = new Map<string, NetworkToken[]>()
  for (const token of tokens) {
    const id = idOf(token)
    if (id === undefined) continue
    const known = byId.get(id)
    if (known === undefined) byId.set(id, [token])
    else known.push(token)
  }
  return byId
}

const inParts = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / IDS_PER_REQUEST) }, (_, part) =>
    ids.slice(part * IDS_PER_REQUEST, (part + 1) * IDS_PER_REQUEST),
  )

/** A list in a URL; DefiLlama's ids hold colons. */
const listOf = (ids: readonly string[]): string =>
  ids.map((id) => encodeURIComponent(id).replaceAll('%3A', ':')).join(',')

type Asked = {
  readonly name: string
  readonly byId: ReadonlyMap<string, readonly NetworkToken[]>
  readonly urlOf: (ids: readonly string[]) => string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly parse: (answer: unknown) => ReadonlyMap<string, Quoted>
}

/** A feed of a server that is asked for many ids at once; a request that fails loses its own ids. */
const feedOf = ({ http, maxAgeSeconds }: Deps, { name, byId, urlOf, headers, parse }: Asked): PriceFeed => {
  const ask = async (ids: readonly string[]): Promise<readonly TokenReading[]> => {
    const url = new URL(urlOf(ids))
    const { status, text } = await http.send({ url, headers, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
    if (status !== 200) throw new Error(`${url.host} answered status ${status}`)
    const quoted = parse(JSON.parse(text))
    return ids.flatMap((id) => {
      const one = quoted.get(id)
      if (one === undefined) return []
      const at: Instant = one.seconds * 1000
      const reading = { price: priceOf(one.price), at, until: at + maxAgeSeconds * 1000 }
      return (byId.get(id) ?? []).map((token) => ({ token, reading }))
    })
  }
  return {
    name,
    origin: name,
    read: async () => {
      const parts = await Promise.allSettled(inParts([...byId.keys()]).map(ask))
      const failed = parts.find((part) => part.status === 'rejected')
      const told = parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : []))
      if (failed !== undefined && told.length === 0) throw failed.reason
      return told
    },
  }
}

/** The members of an object that have a shape; a member without it is no reading. */
const membersOf = <Member>(
  record: object,
  shape: z.ZodType<Member>,
): readonly (readonly [string, Member])[] =>
  Object.entries(record).flatMap(([id, member]) => {
    const parsed = shape.safeParse(member)
    return parsed.success ? [[id, parsed.data] as const] : []
  })

const LlamaCoin = z.object({ price: Price, timestamp: Seconds, confidence: z.number().optional() })
const LlamaAnswer = z.object({ coins: z.record(z.string(), z.unknown()) })
/** Below it DefiLlama itself doubts its price. */
const LEAST_CONFIDENCE = 0.9

/**
 * DefiLlama's current prices, by address on the chains whose name is configured, else by CoinGecko id. Source: DefiLlama
 * `GET /prices/current/{coins}`.
 */
export const defiLlamaFeed = (deps: Deps, settings: NonNullable<PriceSettings['defiLlama']>): PriceFeed =>
  feedOf(deps, {
    name: 'defillama',
    byId: tokensById(deps.tokens, ({ chainId, address, coinGeckoId }) => {
      const chain = settings.chains[chainId]
      if (chain !== undefined) return `${chain}:${address}`
      return coinGeckoId === undefined ? undefined : `coingecko:${coinGeckoId}`
    }),
    urlOf: (ids) => `${settings.url}/prices/current/${listOf(ids)}`,
    parse: (answer) =>
      new Map(
        membersOf(LlamaAnswer.parse(answer).coins, LlamaCoin)
          .filter(([, { confidence = 1 }]) => confidence >= LEAST_CONFIDENCE)
          .map(([id, { price, timestamp }]) => [id, { price, seconds: timestamp }]),
      ),
  })

const GeckoCoin = z.object({ usd: Price, last_updated_at: Seconds })

/** CoinGecko's prices by its ids. Source: CoinGecko `GET /simple/price`. */
export const coinGeckoFeed = (deps: Deps, settings: NonNullable<PriceSettings['coinGecko']>): PriceFeed =>
  feedOf(deps, {
    name: 'coingecko',
    byId: tokensById(deps.tokens, ({ coinGeckoId }) => coinGeckoId),
    urlOf: (ids) =>
      `${settings.url}/simple/price?ids=${listOf(ids)}&vs_currencies=usd&include_last_updated_at=true`,
    headers: settings.headers,
    parse: (answer) =>
      new Map(
        membersOf(z.record(z.string(), z.unknown()).parse(answer), GeckoCoin).map(([id, coin]) => [
          id,
          { price: coin.usd, seconds: coin.last_updated_at },
        ]),
      ),
  })
