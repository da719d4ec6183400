import type { Chain } from './chain.ts'
import { powerOfTen } from './decimal.ts'

/** A chain's native asset in its two scales: base units of `decimals`, and of `valueDecimals` in transactions and of nodes. */
type TwoScales = Pick<Chain, 'nativeToken'>

/** How many units of a transaction's value are one base unit of the chain's native asset: 1 on most chains, 10^10 on Hedera. */
export const valueScaleOf = ({ nativeToken: { decimals, valueDecimals = decimals } }: TwoScales): bigint =>
  powerOfTen(valueDecimals - decimals)

/** The `value` of a transaction that sends base units of the chain's native asset. */
export const sentValueOf = (chain: TwoScales, units: bigint): bigint => units * valueScaleOf(chain)

/** What a transaction pays, from its value or the cost of its gas, in base units of the chain's native asset, rounded up. */
export const unitsPaid = (chain: TwoScales, value: bigint): bigint => {
  const scale = valueScaleOf(chain)
  return (value + scale - 1n) / scale
}

/** What an account holds, from the balance that a node tells, in base units of the chain's native asset, rounded down. */
export const unitsHeld = (chain: TwoScales, value: bigint): bigint => value / valueScaleOf(chain)
