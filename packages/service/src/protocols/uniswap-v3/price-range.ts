import { mulDivDown, mulDivUp } from '../../core/amount.ts'

/** Fraction bits of a square root price. */
const PRICE_BITS = 96n
const PRICE_ONE = 1n << PRICE_BITS
const MAX_UINT256 = (1n << 256n) - 1n

/**
 * Base units of token0 that liquidity holds between two square root prices, the lower first, rounded down.
 * Source: Uniswap v3 whitepaper 6.2.
 */
export const amount0Down = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  mulDivDown(liquidity << PRICE_BITS, upper - lower, upper) / lower

/** As `amount0Down`, rounded up. */
export const amount0Up = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  mulDivUp(mulDivUp(liquidity << PRICE_BITS, upper - lower, upper), 1n, lower)

/** Base units of token1 that liquidity holds between two square root prices, the lower first, rounded down. */
export const amount1Down = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  (liquidity * (upper - lower)) >> PRICE_BITS

/** As `amount1Down`, rounded up. */
export const amount1Up = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  mulDivUp(liquidity, upper - lower, PRICE_ONE)

/**
 * The square root price after an input of token0, rounded up. If the product overflows 256 bits the pools divide in
 * another order, which rounds differently, and so does this.
 */
export const priceAfter0In = (price: bigint, liquidity: bigint, amount: bigint): bigint => {
  const scaled = liquidity << PRICE_BITS
  const product = amount * price
  return product <= MAX_UINT256 && scaled + product <= MAX_UINT256
    ? mulDivUp(scaled, price, scaled + product)
    : mulDivUp(scaled, 1n, scaled / price + amount)
}

/** The square root price after an output of token0, rounded up; undefined where the pools revert. */
export const priceAfter0Out = (price: bigint, liquidity: bigint, amount: bigint): bigint | undefined => {
  const scaled = liquidity << PRICE_BITS
  const product = amount * price
  return product > MAX_UINT256 || product >= scaled ? undefined : mulDivUp(scaled, price, scaled - product)
}

/** The square root price after an input of token1, rounded down. */
export const priceAfter1In = (price: bigint, liquidity: bigint, amount: bigint): bigint =>
  price + (amount << PRICE_BITS) / liquidity

/** The square root price after an output of token1, rounded down; undefined where the pools revert. */
export const priceAfter1Out = (price: bigint, liquidity: bigint, amount: bigint): bigint | undefined => {
  const fall = mulDivUp(amount, PRICE_ONE, liquidity)
  return fall >= price ? undefined : price - fall
}
