import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
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
  const send = createOrderBatches(deps, {
    purpose: 'claim',
    chainOf: ({ originChain }) => originChain,
    groupOf: ({ originChain, inputToken }) => assetKey(originChain, inputToken),
    size: settlement.claimSize,
    waitMs: Math.min(settlement.batchWaitMs, settlement.claimWaitMs),
    patienceMs: settlement.claimWaitMs,
    pays: (orders) => {
      const cost = deps.costs.ofClaim(orders[0]?.originChain ?? '', orders.length)
      return isWorth(deps.assets, orders, cost, settlement.batchCostBps)
    },
    repeatMs: REPEAT_MS,
    callOf,
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
