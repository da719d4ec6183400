import { mulDivUp } from '../../core/amount.ts'
import type { ExchangePool } from '../../core/network.ts'
import { findPaths, type Leg, type Path } from './path.ts'
import type { PoolState } from './pool.ts'
import { largestTrade, type PoolPrice, priceExactInput, priceExactOutput } from './pool-price.ts'

/** One pool's part of a trade, in base units of the token that comes in and of the one that goes out. */
type LegPrice = PoolPrice & {
  readonly pool: ExchangePool
  readonly tokenIn: string
  readonly tokenOut: string
}

/** A trade over one pool or two: what goes in first and comes out last, in base units. */
export type PathPrice = PoolPrice & {
  readonly legs: readonly LegPrice[]
  /** How much less comes out than at the pools' prices before the trade, fees included: basis points, rounded up. */
  readonly priceImpactBps: number
}

/**
 * Why a trade has no price: no pools lead there, the known liquidity ends before it, or nothing would come out or go in.
 */
export type NoPathPrice = 'no_path' | 'beyond_depth' | 'too_small'

const BPS = 10_000n
const PRICE_BITS = 192n

/** The spot price of a leg as a fraction: base units that come out per base unit that goes in. */
const spotOf = ({ pool: { sqrtPrice }, zeroForOne }: Leg<PoolState>): readonly [bigint, bigint] => {
  const [square, one] = [sqrtPrice * sqrtPrice, 1n << PRICE_BITS]
  return zeroForOne ? [square, one] : [one, square]
}

const impactBps = (path: Path<PoolState>, { amountIn, amountOut }: PoolPrice): number => {
  let [expected, scale] = [amountIn, 1n]
  for (const [numerator, denominator] of path.map(spotOf)) {
    expected *= numerator
    scale *= denominator
  }
  const lost = expected - amountOut * scale
  return lost <= 0n ? 0 : Number(mulDivUp(lost, BPS, expected))
}

const legPriceOf = ({ pool: { pool }, zeroForOne }: Leg<PoolState>, price: PoolPrice): LegPrice => {
  const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  return { pool, tokenIn, tokenOut, ...price }
}

/** A priced path before its details are worked out. */
type Candidate = PoolPrice & { readonly path: Path<PoolState>; readonly prices: readonly PoolPrice[] }

const detailed = (candidate: Candidate): PathPrice => ({
  amountIn: candidate.amountIn,
  amountOut: candidate.amountOut,
  legs: candidate.path.flatMap((leg, position) => {
    const price = candidate.prices[position]
    return price === undefined ? [] : [legPriceOf(leg, price)]
  }),
  priceImpactBps: impactBps(candidate.path, candidate),
})

type PricePath = (path: Path<PoolState>, amount: bigint) => Candidate | undefined

const byInput: PricePath = (path, amount) => {
  const [firstLeg, secondLeg] = path
  const first = priceExactInput(firstLeg.pool, firstLeg.zeroForOne, amount)
  if (first === undefined || secondLeg === undefined)
    return first === undefined ? undefined : { path, prices: [first], ...first }
  if (first.amountOut === 0n) return { path, prices: [first], amountIn: amount, amountOut: 0n }
  const second = priceExactInput(secondLeg.pool, secondLeg.zeroForOne, first.amountOut)
  if (second === undefined) return undefined
  return { path, prices: [first, second], amountIn: amount, amountOut: second.amountOut }
}

const byOutput: PricePath = (path, amount) => {
  const [firstLeg, secondLeg] = path
  if (secondLeg === undefined) {
    const only = priceExactOutput(firstLeg.pool, firstLeg.zeroForOne, amount)
    return only === undefined ? undefined : { path, prices: [only], ...only }
  }
  const second = priceExactOutput(secondLeg.pool, secondLeg.zeroForOne, amount)
  if (second === undefined) return undefined
  const first = priceExactOutput(firstLeg.pool, firstLeg.zeroForOne, second.amountIn)
  if (first === undefined) return undefined
  return { path, prices: [first, second], amountIn: first.amountIn, amountOut: amount }
}

type Paths = readonly Path<PoolState>[]

/** The paths over one state of the pools, by their two ends: they are sought once a block, not once a price. */
const knownPaths = new WeakMap<readonly PoolState[], Map<string, Paths>>()

const pathsBetween = (pools: readonly PoolState[], tokenIn: string, tokenOut: string): Paths => {
  const known = knownPaths.get(pools) ?? new Map<string, Paths>()
  knownPaths.set(pools, known)
  const key = `${tokenIn} ${tokenOut}`
  const paths = known.get(key) ?? findPaths(pools, ({ pool }) => pool, tokenIn, tokenOut)
  known.set(key, paths)
  return paths
}

const priceAll = (paths: Paths, price: PricePath, amount: bigint): readonly Candidate[] =>
  paths.flatMap((path) => price(path, amount) ?? [])

/** The better of two, the first where they are equal: more comes out, or less goes in. */
const better = (one: Candidate, other: Candidate): Candidate =>
  other.amountOut > one.amountOut || (other.amountOut === one.amountOut && other.amountIn < one.amountIn)
    ? other
    : one

const best = (paths: Paths, priced: readonly Candidate[]): PathPrice | NoPathPrice => {
  if (paths.length === 0) return 'no_path'
  if (priced.length === 0) return 'beyond_depth'
  const found = priced.reduce(better)
  return found.amountIn === 0n || found.amountOut === 0n ? 'too_small' : detailed(found)
}

/** The path over one pool or two that gives most for an exact input in base units, as the exchange itself would. */
export const bestPathForInput = (
  pools: readonly PoolState[],
  tokenIn: string,
  tokenOut: string,
  amountIn: bigint,
): PathPrice | NoPathPrice => {
  const paths = pathsBetween(pools, tokenIn, tokenOut)
  return best(paths, priceAll(paths, byInput, amountIn))
}

/** The path over one pool or two that takes least for an exact output in base units, as the exchange itself would. */
export const bestPathForOutput = (
  pools: readonly PoolState[],
  tokenIn: string,
  tokenOut: string,
  amountOut: bigint,
): PathPrice | NoPathPrice => {
  const paths = pathsBetween(pools, tokenIn, tokenOut)
  return best(paths, priceAll(paths, byOutput, amountOut))
}

/** The largest trade of one path that has a price: it ends where the first known depth does. */
const largestOf = (path: Path<PoolState>): Candidate | undefined => {
  const [firstLeg, secondLeg] = path
  const first = largestTrade(firstLeg.pool, firstLeg.zeroForOne)
  if (secondLeg === undefined) return { path, prices: [first], ...first }
  const second = largestTrade(secondLeg.pool, secondLeg.zeroForOne)
  return second.amountIn <= first.amountOut ? byOutput(path, second.amountOut) : byInput(path, first.amountIn)
}

/**
 * The largest input and the largest output between two tokens that have a price, in base units; they may be of two
 * paths. Undefined when none has.
 */
export const largestPathTrade = (
  pools: readonly PoolState[],
  tokenIn: string,
  tokenOut: string,
): PoolPrice | undefined => {
  let [amountIn, amountOut] = [0n, 0n]
  for (const path of pathsBetween(pools, tokenIn, tokenOut)) {
    const largest = largestOf(path)
    if (largest !== undefined && largest.amountIn > amountIn) amountIn = largest.amountIn
    if (largest !== undefined && largest.amountOut > amountOut) amountOut = largest.amountOut
  }
  return amountIn === 0n || amountOut === 0n ? undefined : { amountIn, amountOut }
}
