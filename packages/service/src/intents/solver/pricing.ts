import { type BaseUnits, baseUnits, MAX_BASE_UNITS, mulDivDown, mulDivUp } from '../../core/amount.ts'
import type { UsdPrice } from '../../pricing/price-source.ts'
import { usdPrice } from '../../pricing/usd.ts'
import type { Rung } from '../solver-api/protocol.ts'
import type { Strategy } from './config.ts'

/** A token of a pair with its price. */
export type PricedToken = { readonly decimals: number; readonly usdPrice: UsdPrice }
export type PricedPair = { readonly input: PricedToken; readonly output: PricedToken }

const RUNGS = 12n
const BPS = 10_000n
const PRICE_DIGITS = 18

/** Numerator and denominator of output base units per input base unit, exact. */
const rateOf = ({ input, output }: PricedPair): readonly [bigint, bigint] => [
  input.usdPrice * 10n ** BigInt(output.decimals),
  output.usdPrice * 10n ** BigInt(input.decimals),
]

/** Converts USD scaled by 10^18 to base units of a token, rounded up. */
export const unitsOfWorth = (usd: bigint, token: PricedToken): bigint =>
  mulDivUp(usd, 10n ** BigInt(token.decimals), token.usdPrice)

/** Converts a USD amount (decimal text) to base units of a token, rounded up. */
export const unitsOfUsd = (usd: string, token: PricedToken): bigint =>
  unitsOfWorth(usdPrice(usd) ?? 0n, token)

/** The worth of base units of a token in USD scaled by 10^18, rounded up. */
export const usdOfUnits = (amount: bigint, token: PricedToken): bigint =>
  mulDivUp(amount, token.usdPrice, 10n ** BigInt(token.decimals))

/** Converts whole native tokens (decimal text, at most 18 fraction digits) to base units, rounded up. */
export const unitsOfWhole = (text: string, decimals: number): bigint =>
  mulDivUp(usdPrice(text) ?? 0n, 10n ** BigInt(decimals), 10n ** BigInt(PRICE_DIGITS))

/** The output worth exactly the input at mid price, rounded down. */
const midOutput = (pair: PricedPair, input: bigint): bigint => mulDivDown(input, ...rateOf(pair))

const standingSpreadBps = ({ spreadBps, volatilityBps }: Strategy): bigint =>
  BigInt(spreadBps + volatilityBps)

/** A rung to be made: mid output and free inventory in base units of the output. */
type AimedRung = {
  readonly pair: PricedPair
  readonly strategy: Strategy
  readonly available: bigint
  readonly aimed: bigint
  /** Deducted from the output. */
  readonly cost: bigint
}

/** A rung near a mid output, against an inventory; undefined if nothing is left to promise. */
const rungAt = ({ pair, strategy, available, aimed, cost }: AimedRung): Rung | undefined => {
  const [numerator, denominator] = rateOf(pair)
  const input = mulDivUp(aimed, denominator, numerator)
  const mid = midOutput(pair, input)
  // The size spread applies the share of the inventory that is taken: aimed / available.
  const keptBps = (BPS - standingSpreadBps(strategy)) * available - BigInt(strategy.sizeSpreadBps) * aimed
  const output = mulDivDown(aimed, keptBps, BPS * available) - cost
  if (output <= 0n || input > MAX_BASE_UNITS || mid > MAX_BASE_UNITS) return undefined
  return { input: baseUnits(input), output: baseUnits(output), fee: baseUnits(mid - output) }
}

/**
 * The ladder for a pair while `available` base units of the output are free: up to twelve rungs, denser at the small
 * end. Inputs are rounded up, outputs down; `fee` is the mid price minus the output. `liveCost` is what an order costs the
 * solver now, in base units of the output. Empty if the inventory cannot serve the smallest order.
 */
export const ladderOf = (
  pair: PricedPair,
  strategy: Strategy,
  available: BaseUnits,
  liveCost: bigint,
): readonly Rung[] => {
  const smallest = unitsOfUsd(strategy.minimumUsd, pair.output)
  const cost = liveCost + unitsOfUsd(strategy.fixedCostUsd, pair.output)
  const largest = mulDivDown(available, BigInt(strategy.maximumShareBps), BPS)
  // The smallest order is worth its costs beside what it pays.
  const least = (smallest > 0n ? smallest : 1n) + liveCost
  if (largest < least) return []
  const ladder: Rung[] = []
  for (let step = 0n; step < RUNGS; step += 1n) {
    // Cubic steps: dense at small amounts, without floating point.
    const aimed = least + mulDivDown(largest - least, step ** 3n, (RUNGS - 1n) ** 3n)
    const rung = rungAt({ pair, strategy, available, aimed, cost })
    const before = ladder.at(-1)
    if (rung === undefined) continue
    if (before === undefined || (rung.input > before.input && rung.output > before.output)) ladder.push(rung)
  }
  return ladder
}
