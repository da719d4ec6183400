import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { AxelarError } from '../../protocols/axelar/axelar-error.ts'
import type { Store } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { proveCall } from '../settlers/settler-contract.ts'
import type { SolverAsset, SolverChain } from './assets.ts'
import { isWorth } from './batch-worth.ts'
import { secondsUntil } from './examine.ts'
import { createOrderBatches, type WaitingOrder } from './order-batches.ts'
import type { OrderCosts } from './order-costs.ts'
import type { OrderTracker } from './order-tracker.ts'
import { type RelayFeeDeps, relayFeeOf } from './relay-fee.ts'
import type { TransactionStates } from './transaction-states.ts'

type ProverDeps = RelayFeeDeps & {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  readonly costs: Pick<OrderCosts, 'ofProof' | 'ofNative'>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly store: Pick<Store, 'addToBatch' | 'findBatch'>
  readonly states: TransactionStates
  readonly tracker: Pick<OrderTracker, 'orders'>
  readonly isCurrent: (chainId: ChainId) => boolean
  /** The steady time. */
  readonly now: () => Instant
  readonly log: Log
}

/** Proves fills to their origin chains, where their repayment is claimed. */
export type Prover = {
  /** Sends the proofs that are due; rejects only if the store fails. */
  readonly round: () => Promise<void>
}

const PROOF_BASE_GAS = 150_000n
const PROOF_ORDER_GAS = 15_000n
/** All that a proof repays. */
const WHOLE_BPS = 10_000

/** Collects final fills into batches and proves each order once, and again only if its proof has stalled. */
export const createProver = (deps: ProverDeps): Prover => {
  const { chains, tracker, settlement, isCurrent, log } = deps

  const callOf = async (orders: readonly IntentOrder[]) => {
    const [first] = orders
    const from = chains.get(first?.destinationChain ?? '')
    const to = chains.get(first?.originChain ?? '')
    if (from === undefined || to === undefined) return undefined
    const hop = await deps.axelarscan.hopFees(from.axelarName, to.axelarName)
    const fee = relayFeeOf(deps, hop, to, orders.length)
    if (fee === undefined) throw new AxelarError('NO_FEES', `no prices for the data fee of ${to.axelarName}`)
    // Axelarscan alone says what the relay costs.
    const cost = deps.costs.ofNative(from.chainId, fee)
    if (cost !== undefined && !isWorth(deps.assets, orders, cost, WHOLE_BPS))
      throw new AxelarError('NO_FEES', `a proof to ${to.axelarName} for ${fee} costs more than it repays`)
    return {
      to: from.settler,
      ...proveCall(orders, to.axelarName, fee),
      gasLimit: PROOF_BASE_GAS + PROOF_ORDER_GAS * BigInt(orders.length),
    }
  }
  /** A proof that came too late for a refund would be lost: one that stalls is sent again after `proofStallSeconds`. */
  const isUrgent = ({ originChain, refundAfter }: IntentOrder): boolean => {
    const left = secondsUntil(refundAfter, chains.get(originChain)?.evm, deps.now())
    return left === undefined || left * 2 < settlement.proofStallSeconds * 3
  }
  const pays = (orders: readonly IntentOrder[]): boolean => {
    const [first] = orders
    if (first === undefined || orders.some(isUrgent)) return true
    const cost = deps.costs.ofProof({ ...first, settler: 'intent' }, orders.length)
    return isWorth(deps.assets, orders, cost, settlement.batchCostBps)
  }
  const send = createOrderBatches(deps, {
    purpose: 'prove',
    chainOf: ({ destinationChain }) => destinationChain,
    groupOf: ({ destinationChain, originChain }) => `${destinationChain} ${originChain}`,
    sizeIn: () => settlement.batchSize,
    waitMs: settlement.batchWaitMs,
    patienceMs: settlement.proofWaitMs,
    pays,
    repeatMs: settlement.proofStallSeconds * 1000,
    callOf,
    // A settler proves a fill as often as it is asked to.
    overOf: async () => new Set(),
    onSigned: ({ chainId, txHash }, orders) =>
      log('info', 'proof_signed', { chainId, orders: orders.length, txHash }),
    onFailed: (error, [one]) => {
      const { originChain, destinationChain } = one?.order ?? {}
      log('warn', 'proof_failed', { originChain, destinationChain, error })
    },
  })

  const provable = (): readonly WaitingOrder[] =>
    tracker.orders().flatMap(({ orderId, order, filled, proven }) => {
      if (filled?.isFinal !== true || proven !== undefined) return []
      if (!isCurrent(order.originChain) || !isCurrent(order.destinationChain)) return []
      return [{ orderId, order, since: filled.noticedAt }]
    })

  return { round: () => send(provable()) }
}
