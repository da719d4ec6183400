import type { ChainId } from '@openrfq/sdk'
import { uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmCall, EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import type { NetworkToken } from '../../core/network.ts'
import type { OnChainFeed } from '../../core/price-settings.ts'
import type { PriceReading } from '../../pricing/agreed-price.ts'
import type { PriceFeed } from '../../pricing/price-feed.ts'
import { USD_DIGITS } from '../../pricing/price-source.ts'

/** A token's feed on a chain. */
type Wanted = { readonly token: NetworkToken; readonly feed: OnChainFeed }

const LATEST_ROUND_DATA = '0xfeaf968c'
const DECIMALS = '0x313ce567'
const GET_PRICE_UNSAFE = '0x96834ad3'

const SIGN_BIT = 1n << 255n
const WORD = 1n << 256n
const MAX_DECIMALS = 38n
/** A Pyth price whose confidence interval is wider than this share of it is none. */
const WIDEST_INTERVAL = 50n

const signedAt = (result: EvmResult, index: number): bigint | undefined => {
  const word = uintAt(result ?? '0x', index)
  if (word === undefined) return undefined
  return word >= SIGN_BIT ? word - WORD : word
}

const callsOf = (feed: OnChainFeed): readonly EvmCall[] =>
  feed.kind === 'chainlink'
    ? [
        { to: feed.address, data: LATEST_ROUND_DATA },
        { to: feed.address, data: DECIMALS },
      ]
    : [{ to: feed.address, data: `${GET_PRICE_UNSAFE}${feed.id.slice(2)}` }]

/** An integer with so many decimals as a price, rounded down; undefined if it is not above zero or has decimals that cannot be. */
const scaled = (value: bigint | undefined, decimals: bigint | undefined): bigint | undefined => {
  if (value === undefined || decimals === undefined || value <= 0n) return undefined
  if (decimals > MAX_DECIMALS || decimals < -MAX_DECIMALS) return undefined
  const shift = BigInt(USD_DIGITS) - decimals
  return shift >= 0n ? value * 10n ** shift : value / 10n ** -shift
}

const datedReading = (
  price: bigint | undefined,
  seconds: bigint | undefined,
  maxAgeSeconds: number,
): PriceReading | undefined => {
  if (price === undefined || seconds === undefined || seconds > 100_000_000_000n) return undefined
  const at = Number(seconds) * 1000
  return { price, at, until: at + maxAgeSeconds * 1000 }
}

/** Chainlink: (roundId, answer, startedAt, updatedAt, answeredInRound), and the answer's decimals. */
const chainlinkReading = (
  [round, decimals]: readonly EvmResult[],
  maxAgeSeconds: number,
): PriceReading | undefined =>
  datedReading(
    scaled(signedAt(round, 1), uintAt(decimals ?? '0x', 0)),
    uintAt(round ?? '0x', 3),
    maxAgeSeconds,
  )

/** Pyth: (price, confidence, exponent, publishTime). */
const pythReading = ([told]: readonly EvmResult[], maxAgeSeconds: number): PriceReading | undefined => {
  const [price, confidence, exponent] = [signedAt(told, 0), uintAt(told ?? '0x', 1), signedAt(told, 2)]
  if (price === undefined || confidence === undefined || exponent === undefined) return undefined
  if (confidence * WIDEST_INTERVAL > price) return undefined
  return datedReading(scaled(price, -exponent), uintAt(told ?? '0x', 3), maxAgeSeconds)
}

const readingOf = (feed: OnChainFeed, results: readonly EvmResult[]): PriceReading | undefined =>
  feed.kind === 'chainlink'
    ? chainlinkReading(results, feed.maxAgeSeconds)
    : pythReading(results, feed.maxAgeSeconds)

const feedOn = (
  chainId: ChainId,
  chain: EvmChain,
  kind: OnChainFeed['kind'],
  wanted: readonly Wanted[],
): PriceFeed => ({
  name: `${kind} ${chainId}`,
  // One endpoint of the chain tells both kinds.
  origin: chainId,
  read: async () => {
    const calls = wanted.map(({ feed }) => callsOf(feed))
    const results = await chain.callMany(calls.flat())
    let next = 0
    return wanted.flatMap(({ token, feed }, position) => {
      const end = next + (calls[position]?.length ?? 0)
      const reading = readingOf(feed, results.slice(next, end))
      next = end
      return reading === undefined ? [] : [{ token, reading }]
    })
  },
})

/**
 * The feeds on chain of the network's tokens: one per kind and chain, whose contracts are read together. Source: Chainlink
 * AggregatorV3Interface, Pyth IPyth `getPriceUnsafe`.
 */
export const onChainFeeds = (
  tokens: readonly NetworkToken[],
  evmChains: ReadonlyMap<ChainId, EvmChain>,
): readonly PriceFeed[] => {
  const wanted = tokens.flatMap((token) => (token.priceFeeds ?? []).map((feed): Wanted => ({ token, feed })))
  return (['chainlink', 'pyth'] as const).flatMap((kind) =>
    [...evmChains].flatMap(([chainId, chain]) => {
      const here = wanted.filter(({ feed }) => feed.kind === kind && feed.chainId === chainId)
      return here.length === 0 ? [] : [feedOn(chainId, chain, kind, here)]
    }),
  )
}
