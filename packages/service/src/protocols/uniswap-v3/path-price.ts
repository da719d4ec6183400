import { mulDivUp } from '../../core/amount.ts'
import type { ExchangePool } from '../../core/network.ts'
import { findPaths, type Leg, type Path } from './path.ts'
import type { PoolState } from './pool.ts'
import { largestTrade, type PoolPrice, priceExactInput, priceExactOutput } from './pool-price.ts'

/** One pool's part of a trade, in base units of its input and output token. */
type LegPrice = PoolPrice & {
  readonly pool: ExchangePool
  readonly tokenIn: string
  readonly tokenOut: string
}

/** A trade over one or two pools: first input and last output, in base units. */
export type PathPrice = PoolPrice & {
  readonly legs: readonly LegPrice[]
  /** The price impact against the pools' prices before the trade, fees included: basis points, rounded up. */
  readonly priceImpactBps: number
}

/** Why a trade has no price: no path, beyond the known liquidity, or an empty input or output. */
export type NoPathPrice = 'no_path' | 'beyond_depth' | 'too_small'

const BPS = 10_000n
const MILLION = 1_000_000n
const PRICE_BITS = 192n

/** Output per unit of input, in base units, as an exact fraction. */
type Rate = { readonly numerator: bigint; readonly denominator: bigint }

/** The rate of a leg at its pool's price, without the fee. */
const spotOf = ({ pool: { sqrtPrice }, zeroForOne }: Leg<PoolState>): Rate => {
  const [square, one] = [sqrtPrice * sqrtPrice, 1n << PRICE_BITS]
  return zeroForOne ? { numerator: square, denominator: one } : { numerator: one, denominator: square }
}

/** The share of an input that remains after the pool's fee. */
const afterFeeOf = ({ pool: { pool } }: Leg<PoolState>): Rate => ({
  numerator: MILLION - BigInt(pool.fee),
  denominator: MILLION,
})

const productOf = (rates: readonly Rate[]): Rate => ({
  numerator: rates.reduce((product, { numerator }) => product * numerator, 1n),
  denominator: rates.reduce((product, { denominator }) => product * denominator, 1n),
})

/** A path with its rate at the pools' prices, and the upper bound of its rate: the same after all fees. */
type Way = { readonly path: Path<PoolState>; readonly spot: Rate; readonly ceiling: Rate }

const wayOf = (path: Path<PoolState>): Way => {
  const spots = path.map(spotOf)
  return { path, spot: productOf(spots), ceiling: productOf([...spots, ...path.map(afterFeeOf)]) }
}

const impactBps = ({ numerator, denominator }: Rate, { amountIn, amountOut }: PoolPrice): number => {
  const expected = amountIn * numerator
  const lost = expected - amountOut * denominator
  return lost <= 0n ? 0 : Number(mulDivUp(lost, BPS, expected))
}

const legPriceOf = ({ pool: { pool }, zeroForOne }: Leg<PoolState>, price: PoolPrice): LegPrice => {
  const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  return { pool, tokenIn, tokenOut, ...price }
}

/** A priced path before its details are computed. */
type Candidate = PoolPrice & { readonly prices: readonly PoolPrice[] }

const detailed = ({ path, spot }: Way, { amountIn, amountOut, prices }: Candidate): PathPrice => ({
  amountIn,
  amountOut,
  legs: path.flatMap((leg, position) => {
    const price = prices[position]
    return price === undefined ? [] : [legPriceOf(leg, price)]
  }),
  priceImpactBps: impactBps(spot, { amountIn, amountOut }),
})

type PricePath = (path: Path<PoolState>, amount: bigint) => Candidate | undefined

const byInput: PricePath = (path, amount) => {
  const [firstLeg, secondLeg] = path
  const first = priceExactInput(firstLeg.pool, firstLeg.zeroForOne, amount)
  if (first === undefined || secondLeg === undefined)
    return first === undefined ? undefined : { prices: [first], ...first }
  if (first.amountOut === 0n) return { prices: [first], amountIn: amount, amountOut: 0n }
  const second = priceExactInput(secondLeg.pool, secondLeg.zeroForOne, first.amountOut)
  if (second === undefined) return undefined
  return { prices: [first, second], amountIn: amount, amountOut: second.amountOut }
}

const byOutput: PricePath = (path, amount) => {
  const [firstLeg, secondLeg] = path
  if (secondLeg === undefined) {
    const only = priceExactOutput(firstLeg.pool, firstLeg.zeroForOne, amount)
    return only === undefined ? undefined : { prices: [only], ...only }
  }
  const second = priceExactOutput(secondLeg.pool, secondLeg.zeroForOne, amount)
  if (second === undefined) return undefined
  const first = priceExactOutput(firstLeg.pool, firstLeg.zeroForOne, second.amountIn)
  if (first === undefined) return undefined
  return { prices: [first, second], amountIn: first.amountIn, amountOut: amount }
}

/** The paths over one state of the pools, by their two tokens; searched once per block, not per price. */
const knownWays = new WeakMap<readonly PoolState[], Map<string, readonly Way[]>>()

const waysBetween = (pools: readonly PoolState[], tokenIn: string, tokenOut: string): readonly Way[] => {
  const known = knownWays.get(pools) ?? new Map<string, readonly Way[]>()
  knownWays.set(pools, known)
  const key = `${tokenIn} ${tokenOut}`
  const found = known.get(key)
  if (found !== undefined) return found
  const ways = findPaths(pools, ({ pool }) => pool, tokenIn, tokenOut).map(wayOf)
  known.set(key, ways)
  return ways
}

const isBetter = (one: PoolPrice, other: PoolPrice): boolean =>
  one.amountOut > other.amountOut || (one.amountOut === other.amountOut && one.amountIn < other.amountIn)

/** Whether a path may give more output for the input of a price, or take less input for its output. */
const mayBeat = ({ ceiling }: Way, { amountIn, amountOut }: PoolPrice): boolean =>
  amountIn * ceiling.numerator > amountOut * ceiling.denominator

/** The best path, the first of several equal ones; skips paths that cannot beat an earlier one. */
const bestOf = (ways: readonly Way[], price: PricePath, amount: bigint): PathPrice | NoPathPrice => {
  let best: { readonly way: Way; readonly candidate: Candidate } | undefined
  for (const way of ways) {
    if (best !== undefined && !mayBeat(way, best.candidate)) continue
    const candidate = price(way.path, amount)
    if (candidate === undefined) continue
    if (best === undefined || isBetter(candidate, best.candidate)) best = { way, candidate }
  }
  if (best === undefined) return ways.length === 0 ? 'no_path' : 'beyond_depth'
  const { way, candidate } = best
  return candidate.amountIn === 0n || candidate.amountOut === 0n ? 'too_small' : detailed(way, candidate)
}

/**
 * The path over one or two pools with the highest output for an exact input in base units, priced exactly as on the
 * exchange.
 */
export const bestPathForInput = (
  pools: readonly PoolState[],
  tokenIn: string,
  tokenOut: string,
  amountIn: bigint,
): PathPrice | NoPathPrice => bestOf(waysBetween(pools, tokenIn, tokenOut), byInput, amountIn)

/**
 * The path over one or two pools with the lowest input for an exact output in base units, priced exactly as on the
 * exchange.
 */
export const bestPathForOutput = (
  pools: readonly PoolState[],
  tokenIn: string,
  tokenOut: string,
  amountOut: bigint,
): PathPrice | NoPathPrice => bestOf(waysBetween(pools, tokenIn, tokenOut), byOutput, amountOut)

/** The pools of a priced path in a state; undefined if one is missing there. */
const pathOf = (pools: readonly PoolState[], { legs }: PathPrice): Path<PoolState> | undefined => {
  const [first, second] = legs.flatMap(({ pool: { address }, tokenIn }) => {
    const pool = pools.find((state) => state.pool.address === address)
    return pool === undefined ? [] : [{ pool, zeroForOne: pool.pool.token0 === tokenIn }]
  })
  if (first === undefined || (legs.length === 2) !== (second !== undefined)) return undefined
  return second === undefined ? [first] : [first, second]
}

/** The least input of a priced path, at a state of the pools, for an output in base units; undefined beyond its depth. */
export const pathInputFor = (
  pools: readonly PoolState[],
  price: PathPrice,
  amountOut: bigint,
): bigint | undefined => {
  const path = pathOf(pools, price)
  return path === undefined ? undefined : byOutput(path, amountOut)?.amountIn
}

/** The largest priced trade of one path: it ends where the first known depth does. */
const largestOf = (path: Path<PoolState>): Candidate | undefined => {
  const [firstLeg, secondLeg] = path
  const first = largestTrade(firstLeg.pool, firstLeg.zeroForOne)
  if (secondLeg === undefined) return { prices: [first], ...first }
  const second = largestTrade(secondLeg.pool, secondLeg.zeroForOne)
  return second.amountIn <= first.amountOut ? byOutput(path, second.amountOut) : byInput(path, first.amountIn)
}

/**
 * The largest input and the largest output between two tokens that have a price, in base units, possibly of two paths.
 * Undefined if none has.
 */
export const largestPathTrade = (
  pools: readonly PoolState[],
  tokenIn: string,
  tokenOut: string,
): PoolPrice | undefined => {
  let [amountIn, amountOut] = [0n, 0n]
  for (const { path } of waysBetween(pools, tokenIn, tokenOut)) {
    const largest = largestOf(path)
    if (largest !== undefined && largest.amountIn > amountIn) amountIn = largest.amountIn
    if (largest !== undefined && largest.amountOut > amountOut) amountOut = largest.amountOut
  }
  return amountIn === 0n || amountOut === 0n ? undefined : { amountIn, amountOut }
}
