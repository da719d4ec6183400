import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { expectedPrice } from '../../chains/evm/gas.ts'
import { mulDivUp } from '../../core/amount.ts'
import { executionWei, rollupCharge } from '../../protocols/axelar/execution-data.ts'
import { type HopFees, messageGasFee, withRollupCharge } from '../../protocols/axelar/gas-fee.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { SolverChain } from './assets.ts'
import type { Settlement } from './config.ts'
import { type PricedToken, unitsOfWorth, usdOfUnits } from './pricing.ts'

/** What prices the relay of a proof. */
export type RelayFeeDeps = {
  readonly axelarscan: Pick<Axelarscan, 'hopFees'>
  readonly gasMarginBps: number
  readonly settlement: Settlement
  /** The prices of the native assets of EVM chains. */
  readonly natives: ReadonlyMap<ChainId, PricedToken>
}

/** A chain that a proof leaves or arrives on. */
export type RelayEnd = Pick<SolverChain, 'chainId' | 'axelarName' | 'executeGasLimit'> & {
  readonly evm: Pick<EvmChain, 'head'>
}

const BPS = 10_000n

/** The gas that a relayer is paid for to execute a proof of so many orders. */
const executionGas = (
  { proofGas, proofGasPerOrder }: Settlement,
  { executeGasLimit }: RelayEnd,
  count: number,
): bigint => BigInt(Math.max(proofGas + proofGasPerOrder * count, executeGasLimit))

/**
 * The fee in wei for relaying and executing a proof of some orders on the origin chain as Axelarscan prices it, margin
 * included; undefined without prices for what the origin charges beside gas.
 */
export const relayFeeOf = (
  { settlement, gasMarginBps }: Pick<RelayFeeDeps, 'settlement' | 'gasMarginBps'>,
  hop: HopFees,
  to: RelayEnd,
  count: number,
): bigint | undefined => {
  const whole = withRollupCharge(hop, rollupCharge(to.evm.head()))
  return whole && messageGasFee(whole, executionGas(settlement, to, count), gasMarginBps)
}

/**
 * What the execution alone costs at the present gas price of the origin, as the solver's own endpoints tell it, in wei of the
 * chain that the proof leaves, margin included, rounded up; 0 while a head or the price of a native asset is unknown. Axelarscan
 * alone could say less, and a proof without gas is not executed.
 */
export const executionFloor = (
  { settlement, gasMarginBps, natives }: Pick<RelayFeeDeps, 'settlement' | 'gasMarginBps' | 'natives'>,
  from: Pick<RelayEnd, 'chainId'>,
  to: RelayEnd,
  count: number,
): bigint => {
  const head = to.evm.head()
  const [paid, spent] = [natives.get(from.chainId), natives.get(to.chainId)]
  if (head === undefined || paid === undefined || spent === undefined) return 0n
  const gas = executionGas(settlement, to, count)
  const wei = gas * expectedPrice(head) + executionWei(head, gas)
  return unitsOfWorth(usdOfUnits(mulDivUp(wei, BigInt(gasMarginBps), BPS), spent), paid)
}
