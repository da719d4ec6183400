import type { IntentOrder } from '../../core/intent-order.ts'
import { AxelarError } from '../../protocols/axelar/axelar-error.ts'
import type { SolverAsset, SolverChain } from './assets.ts'
import { isWorth } from './batch-worth.ts'
import type { OrderCosts } from './order-costs.ts'
import { executionFloor, type RelayFeeDeps, relayFeeOf } from './relay-fee.ts'

/** What bounds the fee of a proof. */
export type ProofFeeDeps = RelayFeeDeps & {
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  readonly costs: Pick<OrderCosts, 'ofNative'>
}

/** The chain that a proof leaves, the one that it goes to, and how many proofs of its orders went before. */
type ProofWay = { readonly from: SolverChain; readonly to: SolverChain; readonly round: number }

/** All that a proof repays. */
const WHOLE_BPS = 10_000

/**
 * The fee of a proof of some orders, in wei of the chain that it leaves. Axelarscan alone says what the relay costs: it is not
 * believed below what the execution costs by the solver's own endpoints, nor above what the proof repays. A proof that went
 * before without effect pays twice as much each time, while all raises together cost less than it repays. Where prices are
 * unknown Axelarscan is believed. Throws AxelarError for a fee that is unknown or not repaid. Source: docs/decisions/0090.
 */
export const createProofFee =
  (deps: ProofFeeDeps) =>
  async (orders: readonly IntentOrder[], { from, to, round }: ProofWay): Promise<bigint> => {
    /** Whether what the orders repay covers a fee this many times. */
    const isRepaid = (fee: bigint, times = 1n): boolean => {
      const cost = deps.costs.ofNative(from.chainId, fee)
      return cost !== undefined && isWorth(deps.assets, orders, cost * times, WHOLE_BPS)
    }
    const hop = await deps.axelarscan.hopFees(from.axelarName, to.axelarName)
    const told = relayFeeOf(deps, hop, to, orders.length)
    if (told === undefined) throw new AxelarError('NO_FEES', `no prices for what ${to.axelarName} charges`)
    if (deps.costs.ofNative(from.chainId, told) === undefined) return told
    if (!isRepaid(told))
      throw new AxelarError('NO_FEES', `a proof to ${to.axelarName} for ${told} costs more than it repays`)
    const least = executionFloor(deps, from, to, orders.length)
    let fee = least > told && isRepaid(least) ? least : told
    for (let doubled = 0; doubled < round && isRepaid(fee * 2n, 1n << BigInt(round)); doubled += 1) fee *= 2n
    return fee
  }
