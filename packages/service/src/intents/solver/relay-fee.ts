import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { executionWei } from '../../protocols/axelar/execution-data.ts'
import { type HopFees, messageGasFee, withDataFee } from '../../protocols/axelar/gas-fee.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { SolverChain } from './assets.ts'
import type { Settlement } from './config.ts'

/** What prices the relay of a proof. */
export type RelayFeeDeps = {
  readonly axelarscan: Pick<Axelarscan, 'hopFees'>
  readonly gasMarginBps: number
  readonly settlement: Settlement
}

/** A chain that a proof leaves or arrives on. */
export type RelayEnd = Pick<SolverChain, 'axelarName' | 'executeGasLimit'> & {
  readonly evm: Pick<EvmChain, 'head'>
}

/** The fee in wei for relaying and executing a proof of some orders on the origin chain, margin included; undefined without prices for the origin's data fee. */
export const relayFeeOf = (
  { settlement, gasMarginBps }: Pick<RelayFeeDeps, 'settlement' | 'gasMarginBps'>,
  hop: HopFees,
  to: RelayEnd,
  count: number,
): bigint | undefined => {
  const wanted = settlement.proofGas + settlement.proofGasPerOrder * count
  const whole = withDataFee(hop, executionWei(to.evm.head()))
  return whole && messageGasFee(whole, BigInt(Math.max(wanted, to.executeGasLimit)), gasMarginBps)
}
