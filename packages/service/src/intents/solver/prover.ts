import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { AxelarError } from '../../protocols/axelar/axelar-error.ts'
import { executionWei } from '../../protocols/axelar/execution-data.ts'
import { messageGasFee, withDataFee } from '../../protocols/axelar/gas-fee.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { Store } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { proveCall } from '../settlers/settler-contract.ts'
import type { SolverChain } from './assets.ts'
import type { Settlement } from './config.ts'
import { createOrderBatches, type WaitingOrder } from './order-batches.ts'
import type { OrderTracker } from './order-tracker.ts'
import type { TransactionStates } from './transaction-states.ts'

/** What prices the relay of a proof. */
export type RelayFeeDeps = {
  readonly axelarscan: Pick<Axelarscan, 'hopFees'>
  readonly gasMarginBps: number
  readonly settlement: Settlement
}

type ProverDeps = RelayFeeDeps & {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
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

/** The fee in wei for relaying and executing a proof of some orders on the origin chain, margin included. */
export const relayFee = async (
  { settlement, axelarscan, gasMarginBps }: RelayFeeDeps,
  from: SolverChain,
  to: SolverChain,
  count: number,
): Promise<bigint> => {
  const wanted = settlement.proofGas + settlement.proofGasPerOrder * count
  const hop = await axelarscan.hopFees(from.axelarName, to.axelarName)
  const whole = withDataFee(hop, executionWei(to.evm.head()))
  if (whole === undefined) throw new AxelarError('NO_FEES', `no prices for the data fee of ${to.axelarName}`)
  return messageGasFee(whole, BigInt(Math.max(wanted, to.executeGasLimit)), gasMarginBps)
}

/** Collects final fills into batches and proves each order once, and again only if its proof has stalled. */
export const createProver = (deps: ProverDeps): Prover => {
  const { chains, tracker, settlement, isCurrent, log } = deps

  const callOf = async (orders: readonly IntentOrder[]) => {
    const [first] = orders
    const from = chains.get(first?.destinationChain ?? '')
    const to = chains.get(first?.originChain ?? '')
    if (from === undefined || to === undefined) return undefined
    const fee = await relayFee(deps, from, to, orders.length)
    return {
      to: from.settler,
      ...proveCall(orders, to.axelarName, fee),
      gasLimit: PROOF_BASE_GAS + PROOF_ORDER_GAS * BigInt(orders.length),
    }
  }
  const send = createOrderBatches(deps, {
    purpose: 'prove',
    chainOf: ({ destinationChain }) => destinationChain,
    groupOf: ({ destinationChain, originChain }) => `${destinationChain} ${originChain}`,
    size: settlement.batchSize,
    waitMs: settlement.batchWaitMs,
    repeatMs: settlement.proofStallSeconds * 1000,
    callOf,
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
