import { mulDivDown, mulDivUp } from '../../core/amount.ts'
import {
  amount0Down,
  amount0Up,
  amount1Down,
  amount1Up,
  priceAfter0In,
  priceAfter0Out,
  priceAfter1In,
  priceAfter1Out,
} from './price-range.ts'

/** A trade within one segment of constant liquidity, at most to its end. Prices are square roots. */
type Stretch = {
  readonly price: bigint
  readonly end: bigint
  readonly liquidity: bigint
  /** The pool's fee in millionths of the input. */
  readonly fee: bigint
}

/** A segment's input, fee included, and output, in base units, and the square root price after it. */
type Step = { readonly price: bigint; readonly amountIn: bigint; readonly amountOut: bigint }

const MILLION = 1_000_000n

/** How the amounts of a segment follow from its two prices, for one direction. */
type Direction = {
  readonly inputBetween: (price: bigint, end: bigint, liquidity: bigint) => bigint
  readonly outputBetween: (price: bigint, end: bigint, liquidity: bigint) => bigint
  readonly priceAfterInput: (price: bigint, liquidity: bigint, amount: bigint) => bigint
  readonly priceAfterOutput: (price: bigint, liquidity: bigint, amount: bigint) => bigint | undefined
}

/** Sells token0 for token1; the price falls. */
export const FALLING: Direction = {
  inputBetween: (price, end, liquidity) => amount0Up(end, price, liquidity),
  outputBetween: (price, end, liquidity) => amount1Down(end, price, liquidity),
  priceAfterInput: priceAfter0In,
  priceAfterOutput: priceAfter1Out,
}

/** Sells token1 for token0; the price rises. */
export const RISING: Direction = {
  inputBetween: (price, end, liquidity) => amount1Up(price, end, liquidity),
  outputBetween: (price, end, liquidity) => amount0Down(price, end, liquidity),
  priceAfterInput: priceAfter1In,
  priceAfterOutput: priceAfter0Out,
}

/**
 * Trades as much of an input, fee included, as the segment takes. Undefined where the pools revert. Source: Uniswap v3
 * whitepaper 6.2.3.
 */
export type TakeStep = (direction: Direction, stretch: Stretch, remaining: bigint) => Step | undefined

/** Spends an input of `remaining` base units, fee included, or as much as the segment takes. */
export const stepByInput: TakeStep = (direction, { price, end, liquidity, fee }, remaining) => {
  const net = mulDivDown(remaining, MILLION - fee, MILLION)
  const wholeInput = direction.inputBetween(price, end, liquidity)
  const next = net >= wholeInput ? end : direction.priceAfterInput(price, liquidity, net)
  const amountOut = direction.outputBetween(price, next, liquidity)
  return next === end
    ? { price: end, amountIn: wholeInput + mulDivUp(wholeInput, fee, MILLION - fee), amountOut }
    : { price: next, amountIn: remaining, amountOut }
}

/** Buys an output of `remaining` base units, or as much as the segment gives. */
export const stepByOutput: TakeStep = (direction, { price, end, liquidity, fee }, remaining) => {
  const wholeOutput = direction.outputBetween(price, end, liquidity)
  const next = remaining >= wholeOutput ? end : direction.priceAfterOutput(price, liquidity, remaining)
  if (next === undefined) return undefined
  const output = next === end ? wholeOutput : direction.outputBetween(price, next, liquidity)
  const input = direction.inputBetween(price, next, liquidity)
  return {
    price: next,
    amountIn: input + mulDivUp(input, fee, MILLION - fee),
    amountOut: output > remaining ? remaining : output,
  }
}
