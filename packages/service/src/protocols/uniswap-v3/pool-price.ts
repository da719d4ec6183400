import type { PoolState, Stop } from './pool.ts'
import { FALLING, RISING, stepByInput, stepByOutput, type TakeStep } from './swap-step.ts'

/** A trade with one pool: base units in, fee included, and out. */
export type PoolPrice = { readonly amountIn: bigint; readonly amountOut: bigint }

/** The pools take amounts as signed 256-bit integers. */
const MAX_AMOUNT = (1n << 255n) - 1n

/** The index of the first stop for which `isAhead` holds; it holds for all after it. */
const firstAhead = (stops: readonly Stop[], isAhead: (stop: Stop) => boolean): number => {
  let low = 0
  let high = stops.length
  while (low < high) {
    const middle = (low + high) >> 1
    const stop = stops[middle]
    if (stop !== undefined && isAhead(stop)) high = middle
    else low = middle + 1
  }
  return low
}

/** The stops ahead of the pool's tick, as the search in the bitmap finds them. */
const stopsAhead = (
  { depth, tick }: PoolState,
  zeroForOne: boolean,
): { readonly stops: readonly Stop[]; readonly first: number } =>
  zeroForOne
    ? { stops: depth.falling, first: firstAhead(depth.falling, (stop) => stop.tick <= tick) }
    : { stops: depth.rising, first: firstAhead(depth.rising, (stop) => stop.tick > tick) }

type Walk = PoolPrice & { readonly remaining: bigint }

/** Trades from stop to stop until nothing remains or the known depth ends; undefined where the pools revert. */
const walk = (
  pool: PoolState,
  zeroForOne: boolean,
  amount: bigint,
  { take, taken }: { readonly take: TakeStep; readonly taken: (step: PoolPrice) => bigint },
): Walk | undefined => {
  const { stops, first } = stopsAhead(pool, zeroForOne)
  const direction = zeroForOne ? FALLING : RISING
  const fee = BigInt(pool.pool.fee)
  let { sqrtPrice: price, liquidity } = pool
  let remaining = amount
  let amountIn = 0n
  let amountOut = 0n
  for (let index = first; remaining > 0n; index += 1) {
    const stop = stops[index]
    if (stop === undefined) break
    const step = take(direction, { price, end: stop.sqrtPrice, liquidity, fee }, remaining)
    if (step === undefined) return undefined
    remaining -= taken(step)
    amountIn += step.amountIn
    amountOut += step.amountOut
    price = step.price
    liquidity += zeroForOne ? -stop.liquidityNet : stop.liquidityNet
  }
  return { amountIn, amountOut, remaining }
}

const BY_INPUT = { take: stepByInput, taken: ({ amountIn }: PoolPrice) => amountIn }
const BY_OUTPUT = { take: stepByOutput, taken: ({ amountOut }: PoolPrice) => amountOut }

const complete = (price: Walk | undefined): PoolPrice | undefined =>
  price?.remaining === 0n ? { amountIn: price.amountIn, amountOut: price.amountOut } : undefined

/**
 * A pool's output for an exact input, in base units and exactly as the pool computes it; undefined beyond its known
 * depth. `zeroForOne` sells token0. Source: Uniswap v3 whitepaper 6.2.3.
 */
export const priceExactInput = (
  pool: PoolState,
  zeroForOne: boolean,
  amountIn: bigint,
): PoolPrice | undefined =>
  amountIn <= 0n || amountIn > MAX_AMOUNT ? undefined : complete(walk(pool, zeroForOne, amountIn, BY_INPUT))

/**
 * A pool's input for an exact output, in base units and exactly as the pool computes it; undefined beyond its known
 * depth.
 */
export const priceExactOutput = (
  pool: PoolState,
  zeroForOne: boolean,
  amountOut: bigint,
): PoolPrice | undefined =>
  amountOut <= 0n || amountOut > MAX_AMOUNT
    ? undefined
    : complete(walk(pool, zeroForOne, amountOut, BY_OUTPUT))

/** The trade that uses a pool's whole known depth in one direction, in base units: no larger one has a price. */
export const largestTrade = (pool: PoolState, zeroForOne: boolean): PoolPrice => {
  const { amountIn = 0n, amountOut = 0n } = walk(pool, zeroForOne, MAX_AMOUNT, BY_INPUT) ?? {}
  return { amountIn, amountOut }
}
