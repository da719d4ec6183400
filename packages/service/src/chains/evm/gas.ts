import { baseUnits } from '../../core/amount.ts'
import type { Chain } from '../../core/chain.ts'
import type { OfferedFee } from '../../core/offer.ts'
import { unitsPaid } from '../../core/value-scale.ts'
import type { EvmStep } from './actions.ts'
import { EVM_NATIVE_TOKEN } from './address.ts'
import { l1Gas, weiBesideGas } from './l1-fee.ts'

/** Suggested fees in wei per unit of gas, as wallets take them. Source: EIP-1559. */
export type EvmFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** Fees that survive a doubled base fee: `2 * baseFee + tip`. Wei per unit of gas. Source: EIP-1559. */
export const feesFromBase = (baseFeePerGas: bigint, tipPerGas: bigint): EvmFees => ({
  maxFeePerGas: baseFeePerGas * 2n + tipPerGas,
  maxPriorityFeePerGas: tipPerGas,
})

/** Fees on a chain without a base fee: both equal the gas price, which is what is paid. */
export const feesFromGasPrice = (gasPrice: bigint): EvmFees => ({
  maxFeePerGas: gasPrice,
  maxPriorityFeePerGas: gasPrice,
})

/**
 * The expected price per unit of gas, in wei, rounded up: `baseFee + tip`, which is the mean of the two suggestions
 * above (equal ones: the gas price).
 */
export const expectedPrice = (fees: EvmFees): bigint =>
  (fees.maxFeePerGas + fees.maxPriorityFeePerGas + 1n) / 2n

/** Above what nodes require of a replacement (10 %, some 12.5 %, and one wei): an eighth plus one wei. */
const raised = (fee: bigint): bigint => fee + fee / 8n + 1n
const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/**
 * Fees for replacing a transaction signed with `signed`, or undefined while it still pays as much as `suggested`. Wei
 * per unit of gas; both rise by more than an eighth, which nodes require.
 */
export const replacementFees = (signed: EvmFees, suggested: EvmFees): EvmFees | undefined => {
  const baseFee = (suggested.maxFeePerGas - suggested.maxPriorityFeePerGas) / 2n
  const paid = baseFee + signed.maxPriorityFeePerGas
  const offered = paid < signed.maxFeePerGas ? paid : signed.maxFeePerGas
  if (offered >= baseFee + suggested.maxPriorityFeePerGas) return undefined
  return {
    maxFeePerGas: higher(suggested.maxFeePerGas, raised(signed.maxFeePerGas)),
    maxPriorityFeePerGas: higher(suggested.maxPriorityFeePerGas, raised(signed.maxPriorityFeePerGas)),
  }
}

const stepCost = ({ gas, data, head }: EvmStep): bigint => {
  const used = gas.usual * (head.gasScale ?? 1n) + l1Gas(head.l1Cost, data)
  return used * expectedPrice(head) + weiBesideGas(head.l1Cost, data, used)
}

/**
 * The gas cost of all steps in base units of the native token: Σ usual gas × expected price (neither the limit nor the maximum that the
 * wallet authorises), and on a rollup what their data costs on the chain below and what its operator charges, rounded up. Excludes native value sent along. Source: interface "Fees".
 */
export const gasFee = (chain: Chain, steps: readonly EvmStep[]): OfferedFee => ({
  amount: baseUnits(
    unitsPaid(
      chain,
      steps.reduce((total, step) => total + stepCost(step), 0n),
    ),
  ),
  token: { chain: chain.chainId, symbol: chain.nativeToken.symbol, type: 'native' },
  decimals: chain.nativeToken.decimals,
  asset: { chainId: chain.chainId, address: EVM_NATIVE_TOKEN },
  paymentMethod: 'wallet_native',
  quoteTreatment: 'outside_quote',
})
