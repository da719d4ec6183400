/** The bounds of a pool's tick. Source: Uniswap v3 whitepaper 6.1. */
export const MIN_TICK = -887_272
export const MAX_TICK = 887_272

const MAX_UINT256 = (1n << 256n) - 1n
const RATIO_BITS = 128n
/**
 * Precision of computing the factors: far more than their 128 bits, because each squares the error of the previous one.
 */
const WORKING_BITS = 600n
/** Bits of the largest tick. */
const TICK_BITS = 20
/** From a ratio with 128 fraction bits to a price with 96. */
const SURPLUS_BITS = 32n

/** The integer square root, rounded down, of a non-negative integer. */
export const squareRoot = (square: bigint): bigint => {
  if (square < 2n) return square
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/**
 * 1.0001^(-2^i / 2) with 128 fraction bits, rounded to nearest: the factor that pools multiply for each bit i of a
 * tick.
 */
const createFactors = (): readonly bigint[] => {
  const factors: bigint[] = []
  let power = squareRoot((10_000n << (2n * WORKING_BITS)) / 10_001n)
  const dropped = WORKING_BITS - RATIO_BITS
  for (let bit = 0; bit < TICK_BITS; bit += 1) {
    factors.push((power + (1n << (dropped - 1n))) >> dropped)
    power = (power * power) >> WORKING_BITS
  }
  return factors
}

const FACTORS = createFactors()

/**
 * The square root of the price 1.0001^tick of token0 in token1, base units, with 96 fraction bits, rounded up as in the
 * pools. Throws RangeError for an invalid tick. Source: Uniswap v3 whitepaper 6.1, 6.2.1.
 */
export const sqrtPriceAtTick = (tick: number): bigint => {
  if (!Number.isInteger(tick) || tick < MIN_TICK || tick > MAX_TICK)
    throw new RangeError(`expected a tick from ${MIN_TICK} to ${MAX_TICK}: ${tick}`)
  const distance = Math.abs(tick)
  let ratio = 1n << RATIO_BITS
  for (const [bit, factor] of FACTORS.entries())
    if ((distance & (1 << bit)) !== 0) ratio = (ratio * factor) >> RATIO_BITS
  if (tick > 0) ratio = MAX_UINT256 / ratio
  const price = ratio >> SURPLUS_BITS
  return price << SURPLUS_BITS === ratio ? price : price + 1n
}
