import type { OrderType } from '@openrfq/sdk'
import { MAX_BASE_UNITS } from '../../core/amount.ts'
import type { Decline } from '../../core/offer.ts'
import {
  bestPathForInput,
  bestPathForOutput,
  largestPathTrade,
} from '../../protocols/uniswap-v3/path-price.ts'
import type { PoolState } from '../../protocols/uniswap-v3/pool.ts'
import { outOfRange, unpriced } from '../decline.ts'
import { type Markets, type NoPrice, priceRoute } from './amounts.ts'
import { type ExpressRoute, tradedAddress } from './routes.ts'

/** A closed range of base units of the token that the order counts in. */
type AmountRange = { readonly minimum: bigint; readonly maximum: bigint }

/**
 * The smallest amount from 1 on for which a condition holds that holds for all larger ones too. The search starts at
 * `near`, and is the shorter the closer that is.
 */
const firstWhere = (holds: (amount: bigint) => boolean, near: bigint): bigint => {
  let [low, high] = [0n, MAX_BASE_UNITS as bigint]
  let next = near < 1n ? 1n : near
  for (let stride = 1n; next > low && next < high; stride *= 2n) {
    const isBeyond = holds(next)
    if (isBeyond) high = next
    else low = next
    next = isBeyond ? next - stride : next + stride
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * The amounts that have a price, by search from where the bounds are likely to be: `price` says of each amount whether it
 * is too small or too large. Undefined where none has one.
 */
export const pricedRange = (
  price: (amount: bigint) => 'priced' | NoPrice,
  near: AmountRange,
): AmountRange | undefined => {
  const minimum = firstWhere((amount) => price(amount) !== 'too_small', near.minimum)
  if (price(minimum) !== 'priced') return undefined
  const beyond = firstWhere((amount) => amount > minimum && price(amount) === 'too_large', near.maximum + 1n)
  return { minimum, maximum: price(beyond) === 'too_large' ? beyond - 1n : MAX_BASE_UNITS }
}

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The trades between two tokens of one chain, which may be one and the same. */
const marketOf = (pools: readonly PoolState[], from: string, to: string) => {
  const isSame = from === to
  const largest = isSame
    ? { amountIn: MAX_BASE_UNITS, amountOut: MAX_BASE_UNITS }
    : (largestPathTrade(pools, from, to) ?? { amountIn: 0n, amountOut: 0n })
  const amountOf = (
    price: ReturnType<typeof bestPathForInput>,
    side: 'amountIn' | 'amountOut',
  ): bigint | undefined => (typeof price === 'string' ? undefined : price[side])
  return {
    largest,
    outputFor: (amount: bigint): bigint | undefined =>
      isSame ? amount : amountOf(bestPathForInput(pools, from, to, amount), 'amountOut'),
    inputFor: (amount: bigint): bigint | undefined =>
      isSame ? amount : amountOf(bestPathForOutput(pools, from, to, amount), 'amountIn'),
  }
}

/** Where the bounds of a way lie but for roundings: what just reaches the least that crosses, and the most. */
const likelyRange = (
  route: ExpressRoute,
  { source, destination, room }: Markets,
  orderType: OrderType,
): AmountRange => {
  const bridgeFrom = route.from.token.address.toLowerCase()
  const bridgeTo = route.to.token.address.toLowerCase()
  const before = marketOf(source, tradedAddress(route.input, route.from.exchange), bridgeFrom)
  const after = marketOf(destination, bridgeTo, tradedAddress(route.output, route.to.exchange))
  const least = route.from.minimumBridged
  const most = lesser(room ?? MAX_BASE_UNITS, after.largest.amountIn)
  if (orderType === 'EXACT_INPUT') {
    const beyond = before.inputFor(most + 1n)
    return {
      minimum: before.inputFor(least) ?? 1n,
      maximum: beyond === undefined ? before.largest.amountIn : beyond - 1n,
    }
  }
  const bridged = lesser(most, before.largest.amountOut)
  return {
    minimum: (after.outputFor(least - 1n) ?? 0n) + 1n,
    maximum: after.outputFor(bridged) ?? after.largest.amountOut,
  }
}

/** The amounts of an order that a way prices, to the unit; undefined when the pools have no liquidity. */
const rangeOfRoute = (route: ExpressRoute, markets: Markets, orderType: OrderType): AmountRange | undefined =>
  pricedRange(
    (amount) => {
      const price = priceRoute(route, markets, orderType, amount)
      return typeof price === 'string' ? price : 'priced'
    },
    likelyRange(route, markets, orderType),
  )

/** A way with what is known of its markets now. */
export type PricedRoute = { readonly route: ExpressRoute; readonly markets: Markets }

const findRange = (candidates: readonly PricedRoute[], orderType: OrderType): Decline => {
  const ranges = candidates.flatMap(({ route, markets }) => rangeOfRoute(route, markets, orderType) ?? [])
  const [first] = ranges
  if (first === undefined) return unpriced('the pools have no liquidity')
  const whole = ranges.reduce(
    (one, other) => ({
      minimum: lesser(one.minimum, other.minimum),
      maximum: one.maximum > other.maximum ? one.maximum : other.maximum,
    }),
    first,
  )
  return outOfRange(whole.minimum, whole.maximum)
}

const isSameRoute = (one: PricedRoute, other: PricedRoute | undefined): boolean =>
  one.route === other?.route &&
  one.markets.source === other.markets.source &&
  one.markets.destination === other.markets.destination &&
  one.markets.room === other.markets.room

/** What is asked: all ways of a pair, those that have markets now, and which side the amount counts. */
type Asked = {
  readonly routes: readonly ExpressRoute[]
  readonly candidates: readonly PricedRoute[]
  readonly orderType: OrderType
}

/** Refusals that name the amounts which any of the ways prices, sought once for each state of the markets. */
export type RangeDeclines = {
  readonly find: (asked: Asked) => Decline
  /** The refusal of an amount beyond bounds that were sought before and still hold; undefined when it has to be priced. */
  readonly known: (asked: Asked, amount: bigint) => Decline | undefined
}

/** Refusals with nothing sought yet; one is kept for each pair and order type. */
export const createRangeDeclines = (): RangeDeclines => {
  type Kept = { readonly candidates: readonly PricedRoute[]; readonly decline: Decline }
  const kept = new WeakMap<readonly ExpressRoute[], Map<OrderType, Kept>>()
  const last = ({ routes, candidates, orderType }: Asked): Decline | undefined => {
    const found = kept.get(routes)?.get(orderType)
    return found?.candidates.length === candidates.length &&
      found.candidates.every((route, at) => isSameRoute(route, candidates[at]))
      ? found.decline
      : undefined
  }
  return {
    find: (asked) => {
      const { routes, candidates, orderType } = asked
      const decline = last(asked) ?? findRange(candidates, orderType)
      const ofPair = kept.get(routes) ?? new Map<OrderType, Kept>()
      kept.set(routes, ofPair.set(orderType, { candidates, decline }))
      return decline
    },
    known: (asked, amount) => {
      const decline = last(asked)
      if (decline?.declined !== 'out_of_range') return undefined
      const { minimum, maximum } = decline
      return amount < minimum || (maximum !== null && amount > maximum) ? decline : undefined
    },
  }
}
