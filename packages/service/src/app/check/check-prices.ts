import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { Network, NetworkToken } from '../../core/network.ts'
import { createTokenMap, type TokenId } from '../../core/token-map.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTime } from '../../lib/in-time.ts'
import { agreedPrice, type PriceBounds, type SourcedReading } from '../../pricing/agreed-price.ts'
import type { PriceFeed, TokenReading } from '../../pricing/price-feed.ts'
import { USD_DIGITS } from '../../pricing/price-source.ts'
import { usdText } from '../../pricing/usd.ts'
import { openEvmChain } from '../open-evm-chain.ts'
import { connectPriceFeeds } from '../prices.ts'
import { mayBePriced } from './check-file.ts'
import { doubtful, type Finding, fine } from './finding.ts'

/** A feed of many chains asks one after another. */
const FEED_MS = 60_000
/** So many tokens are named in one line. */
const NAMED = 8

type Named = TokenId & { readonly symbol: string }
type Told = SourcedReading & { readonly feed: string }

const nameOf = ({ symbol, chainId, address }: Named): string => `token ${symbol} ${address} on ${chainId}`

/** What a source answers once; a dead one answers nothing. */
const askFeed = async (
  feed: PriceFeed,
): Promise<{ readonly finding: Finding; readonly told: readonly TokenReading[] }> => {
  const subject = `prices of ${feed.name}`
  const dead = (reason: string) => ({
    finding: doubtful(subject, `does not answer (${reason}): correct its url or endpoint, or name another`),
    told: [],
  })
  try {
    const told = await inTime(feed.read(), FEED_MS)
    if (told === undefined) return dead(`nothing in ${FEED_MS / 1000} s`)
    if (told.length === 0) return dead('a price of no token')
    return { finding: fine(subject, `tells ${told.length} prices`), told }
  } catch (error) {
    return dead(error instanceof Error ? error.message : String(error))
  }
}

const ageOf = ({ at }: Told, now: number): string => `${Math.round((now - at) / 1000)} s old`

/** How old a token's readings are, and whether they make a price. */
const tokenFinding = (token: Named, readings: readonly Told[], bounds: PriceBounds): Finding => {
  const subject = nameOf(token)
  const { now, enough } = bounds
  const said = readings
    .map((one) => `${one.feed} ${usdText(one.price, USD_DIGITS)} USD, ${ageOf(one, now)}`)
    .join('; ')
  const agreed = agreedPrice(readings, bounds)
  if ('price' in agreed) return fine(subject, `price: ${said}`)
  if (agreed.unpriced === 'conflict')
    return doubtful(
      subject,
      `price in conflict (${said}): correct its coinGeckoId or feed, or set usdPrice; until then it has no price`,
    )
  const current = new Set(readings.filter(({ until }) => now <= until).map(({ origin }) => origin)).size
  return current < readings.length
    ? doubtful(subject, `price is stale (${said}): name another source; until then it has no price`)
    : doubtful(
        subject,
        `price of too few sources (${said}): ${enough} must agree; name another, or lower prices.enough`,
      )
}

/** The tokens whose sources say nothing, in one line. */
const silentFinding = (tokens: readonly Named[]): readonly Finding[] => {
  if (tokens.length === 0) return []
  const names = tokens.slice(0, NAMED).map(({ symbol, chainId }) => `${symbol} on ${chainId}`)
  const more = tokens.length > NAMED ? ` and ${tokens.length - NAMED} more` : ''
  return [
    doubtful(
      'prices',
      `no source answers for ${tokens.length} tokens (${names.join(', ')}${more}): name a source that knows them, or set usdPrice; until then they have no price`,
    ),
  ]
}

/** The tokens with a source of a price other than the operator, and the native assets that Axelarscan prices. */
const expectedOf = ({ tokens, chains, prices, axelar }: Network): readonly Named[] => {
  const wanted = (token: NetworkToken): boolean =>
    token.usdPrice === undefined && mayBePriced(token, { prices })
  const natives =
    prices?.axelarscan === true && axelar !== undefined
      ? chains.filter((chain) => chain.chainType === 'evm' && chain.axelar !== undefined)
      : []
  const own = tokens.filter(wanted)
  const listed = new Set(tokens.map(({ chainId, address }) => `${chainId} ${address}`))
  return [
    ...own,
    ...natives
      .filter(({ chainId }) => !listed.has(`${chainId} ${EVM_NATIVE_TOKEN}`))
      .map(({ chainId, nativeToken: { symbol } }) => ({ chainId, address: EVM_NATIVE_TOKEN, symbol })),
  ]
}

/** Asks every source of prices once, by the service's own readers, and says how old the price of each token is. */
export const checkPrices = async (network: Network, clock: Clock): Promise<readonly Finding[]> => {
  const withFeeds = new Set(
    network.tokens.flatMap(({ priceFeeds = [] }) => priceFeeds.map((feed) => feed.chainId)),
  )
  const evmChains = new Map(
    network.chains
      .filter(({ chainId, chainType }) => chainType === 'evm' && withFeeds.has(chainId))
      .map((chain) => [chain.chainId, openEvmChain(chain, clock)]),
  )
  const { tokens } = network
  const { feeds, settings, close } = connectPriceFeeds(
    { network, clock, log: () => undefined },
    { tokens, evmChains },
  )
  try {
    const asked = await Promise.all(feeds.map(askFeed))
    const byToken = createTokenMap<Told[]>()
    for (const [index, { told }] of asked.entries())
      for (const { token, reading } of told) {
        const { name = '', origin = '' } = feeds[index] ?? {}
        const known = byToken.get(token) ?? []
        byToken.set(token, known)
        known.push({ ...reading, origin, feed: name })
      }
    const expected = expectedOf(network)
    const bounds = { ...settings, now: clock.now() }
    return [
      ...asked.map(({ finding }) => finding),
      ...expected.flatMap((token) => {
        const readings = byToken.get(token)
        return readings === undefined ? [] : [tokenFinding(token, readings, bounds)]
      }),
      ...silentFinding(expected.filter((token) => byToken.get(token) === undefined)),
    ]
  } finally {
    close()
    await Promise.all([...evmChains.values()].map((chain) => chain.stop()))
  }
}
