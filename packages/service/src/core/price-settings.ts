import { z } from 'zod'
import { EvmAddress, Hash } from './hex.ts'

/** A header that carries a provider's key. */
const Headers = z.record(
  z.string().regex(/^[a-z0-9-]+$/, 'expected a header in lower case'),
  z.string().min(1),
)

/** A feed of a token's price on an EVM chain of the network, which need not be the token's own. */
export const OnChainFeed = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('chainlink'),
    chainId: z.string().min(1),
    /** The aggregator of the token in USD. */
    address: EvmAddress,
    /** The feed's heartbeat and a margin, after which its answer is stale. */
    maxAgeSeconds: z.int().min(10).max(172_800).default(90_000),
  }),
  z.object({
    kind: z.literal('pyth'),
    chainId: z.string().min(1),
    /** Pyth's contract on the chain. */
    address: EvmAddress,
    /** The price id of the token in USD. */
    id: Hash,
    maxAgeSeconds: z.int().min(10).max(172_800).default(600),
  }),
])
export type OnChainFeed = z.infer<typeof OnChainFeed>

/** Where prices come from beside fixed ones and feeds on chain, and when they are believed. */
export const PriceSettings = z.object({
  /** DefiLlama's coins API; `chains` has its names of chains, by which a token is asked for by its address instead of its CoinGecko id. */
  defiLlama: z
    .object({
      url: z.url().default('https://coins.llama.fi'),
      chains: z.record(z.string(), z.string().regex(/^[a-z0-9_-]+$/)).default({}),
    })
    .optional(),
  /** CoinGecko's API, by the tokens' CoinGecko ids. */
  coinGecko: z
    .object({ url: z.url().default('https://api.coingecko.com/api/v3'), headers: Headers.optional() })
    .optional(),
  /** Axelarscan's prices of native assets, from its fees. */
  axelarscan: z.boolean().default(false),
  /** How many sources must agree on a price; with 1 a single source that no other contradicts is enough. */
  enough: z.int().min(1).max(3).default(2),
  /** How far prices may be apart to agree, in basis points of the lower one. */
  agreementBps: z.int().min(1).max(5_000).default(200),
  /** The age after which a price that a server told is stale. */
  maxAgeSeconds: z.int().min(30).max(86_400).default(900),
  /** Between two reads of a source. */
  refreshSeconds: z.int().min(5).max(3_600).default(60),
})
export type PriceSettings = z.infer<typeof PriceSettings>
