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

/** A closed range in base units of the token that the order's amount refers to. */
type AmountRange = { readonly minimum: bigint; readonly maximum: bigint }

/**
 * The smallest amount from 1 for which a monotone condition holds. The search starts at `near`; the closer that is, the
 * fewer steps it takes.
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
 * The range of amounts that can be priced, found by search near the likely bounds: `price` says whether an amount is
 * too small or too large. Undefined if none can be priced.
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

/** The trades between two tokens of one chain; the tokens may be equal. */
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

/**
 * The bounds of a route except for rounding: the amounts at which the bridged amount reaches its minimum and its
 * maximum.
 */
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

/** The exact range of order amounts that a route can price; undefined if the pools have no liquidity. */
const rangeOfRoute = (route: ExpressRoute, markets: Markets, orderType: OrderType): AmountRange | undefined =>
  pricedRange(
    (amount) => {
      const price = priceRoute({ route, markets, orderType, amount })
      return typeof price === 'string' ? price : 'priced'
    },
    likelyRange(route, markets, orderType),
  )

/** A route with its current markets. */
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

/** A range lookup: all routes of a pair, those with current markets, and the side the amount refers to. */
type Asked = {
  readonly routes: readonly ExpressRoute[]
  readonly candidates: readonly PricedRoute[]
  readonly orderType: OrderType
}

/** Out-of-range declines with the combined range of all routes, computed once per state of the markets. */
export type RangeDeclines = {
  readonly find: (asked: Asked) => Decline
  /** The decline for an amount outside a cached range that is still valid; undefined if the amount has to be priced. */
  readonly known: (asked: Asked, amount: bigint) => Decline | undefined
}

/** Creates an empty cache with one entry per pair and order type. */
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
