import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { type OrderStatus, readStatus, statusCall } from '../settlers/order-status.ts'
import { claimCall } from '../settlers/settler-contract.ts'
import { assetKey, type SolverAsset, type SolverChain } from './assets.ts'
import { isWorth } from './batch-worth.ts'
import type { Settlement } from './config.ts'
import { createOrderBatches, type WaitingOrder } from './order-batches.ts'
import type { OrderCosts } from './order-costs.ts'
import type { OrderTracker } from './order-tracker.ts'
import type { TransactionStates } from './transaction-states.ts'

type ClaimerDeps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  readonly costs: Pick<OrderCosts, 'ofClaim'>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly store: Pick<Store, 'addToBatch' | 'findBatch'>
  readonly states: TransactionStates
  readonly tracker: Pick<OrderTracker, 'orders'>
  readonly account: string
  readonly settlement: Settlement
  readonly isCurrent: (chainId: ChainId) => boolean
  /** The steady time. */
  readonly now: () => Instant
  readonly log: Log
}

/** Collects the solver's repayments. */
export type Claimer = {
  /** Sends the claims that are due; rejects only if the store fails. */
  readonly round: () => Promise<void>
}

const CLAIM_BASE_GAS = 150_000n
const CLAIM_ORDER_GAS = 60_000n
/** A claim that succeeded has paid; the chain shows it within this time. */
const REPEAT_MS = 3_600_000
/** More than any claim has orders. */
const MAX_HALVINGS = 16

/** Collects the escrows of proven fills, those of one token in one sum. */
export const createClaimer = (deps: ClaimerDeps): Claimer => {
  const { chains, tracker, account, settlement, isCurrent, log } = deps

  const callOf = async (orders: readonly IntentOrder[]) => {
    const chain = chains.get(orders[0]?.originChain ?? '')
    if (chain === undefined) return undefined
    return {
      to: chain.settler,
      ...claimCall(orders, account),
      gasLimit: CLAIM_BASE_GAS + CLAIM_ORDER_GAS * BigInt(orders.length),
    }
  }
  /** Anybody may claim a repayment for the solver, and does so to have the claim of it and others revert. */
  const overOf = async (orders: readonly WaitingOrder[]): Promise<ReadonlySet<OrderId>> => {
    const chain = chains.get(orders[0]?.order.originChain ?? '')
    if (chain === undefined) return new Set()
    try {
      const calls = orders.map(({ orderId }) => statusCall(chain, orderId))
      const results = await chain.evm.callAgreed(calls, {})
      const isOver = (status: OrderStatus | undefined): boolean => status !== undefined && status !== 'proven'
      return new Set(
        orders.flatMap(({ orderId }, index) =>
          isOver(readStatus('intent', results[index])) ? [orderId] : [],
        ),
      )
    } catch {
      // The endpoints agree on nothing now; the claim tells.
      return new Set()
    }
  }
  const send = createOrderBatches(deps, {
    purpose: 'claim',
    chainOf: ({ originChain }) => originChain,
    groupOf: ({ originChain, inputToken }) => assetKey(originChain, inputToken),
    // Each round of a claim that reverted halves it: one alone either pays or has been made by somebody else.
    sizeIn: (round) => Math.max(1, settlement.claimSize >> Math.min(round, MAX_HALVINGS)),
    waitMs: Math.min(settlement.batchWaitMs, settlement.claimWaitMs),
    patienceMs: settlement.claimWaitMs,
    pays: (orders) => {
      const cost = deps.costs.ofClaim(orders[0]?.originChain ?? '', orders.length)
      return isWorth(deps.assets, orders, cost, settlement.batchCostBps)
    },
    repeatMs: () => REPEAT_MS,
    callOf,
    overOf,
    onSigned: ({ chainId, txHash }, orders) =>
      log('info', 'claim_signed', { chainId, orders: orders.length, txHash }),
    onFailed: (error, [one]) => log('warn', 'claim_failed', { chainId: one?.order.originChain, error }),
  })

  const claimable = (): readonly WaitingOrder[] =>
    tracker
      .orders()
      .flatMap(({ orderId, order, proven }) =>
        proven === undefined || !isCurrent(order.originChain)
          ? []
          : [{ orderId, order, since: proven.noticedAt }],
      )

  return { round: () => send(claimable()) }
}
