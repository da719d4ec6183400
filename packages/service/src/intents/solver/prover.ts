import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { proveCall } from '../settlers/settler-contract.ts'
import type { SolverChain } from './assets.ts'
import { isWorth } from './batch-worth.ts'
import { secondsUntil } from './examine.ts'
import { createOrderBatches, type WaitingOrder } from './order-batches.ts'
import type { OrderCosts } from './order-costs.ts'
import type { OrderTracker } from './order-tracker.ts'
import { createProofFee, type ProofFeeDeps } from './proof-fee.ts'
import type { TransactionStates } from './transaction-states.ts'

type ProverDeps = ProofFeeDeps & {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly costs: Pick<OrderCosts, 'ofProof' | 'ofNative'>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly store: Pick<Store, 'addToBatch' | 'findBatch'>
  readonly states: Pick<TransactionStates, 'lookUpTransaction' | 'note'>
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
/** A proof is sent again after no less, however little time is left: it may yet arrive. */
const LEAST_STALL_MS = 600_000

/** Collects final fills into batches and proves each order once, and again only if its proof has stalled. */
export const createProver = (deps: ProverDeps): Prover => {
  const { chains, tracker, settlement, isCurrent, log } = deps

  const feeOf = createProofFee(deps)

  const callOf = async (orders: readonly IntentOrder[], round: number) => {
    const [first] = orders
    const from = chains.get(first?.destinationChain ?? '')
    const to = chains.get(first?.originChain ?? '')
    if (from === undefined || to === undefined) return undefined
    const fee = await feeOf(orders, { from, to, round })
    return {
      to: from.settler,
      ...proveCall(orders, to.axelarName, fee),
      gasLimit: PROOF_BASE_GAS + PROOF_ORDER_GAS * BigInt(orders.length),
    }
  }
  const secondsLeft = ({ originChain, refundAfter }: IntentOrder): number | undefined =>
    secondsUntil(refundAfter, chains.get(originChain)?.evm, deps.now())
  /** A proof that came too late for a refund would be lost: one that stalls is sent again after `proofStallSeconds`. */
  const isUrgent = (order: IntentOrder): boolean => {
    const left = secondsLeft(order)
    return left === undefined || left * 2 < settlement.proofStallSeconds * 3
  }
  /** When half of the time until the refund has passed, the other half must do for the next proof. */
  const stallMs = (order: IntentOrder): number => {
    const [left, most] = [secondsLeft(order), settlement.proofStallSeconds * 1000]
    return left === undefined || left <= 0 ? most : Math.min(most, Math.max(left * 1000, LEAST_STALL_MS))
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
    repeatMs: stallMs,
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
