import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createConditionTimer } from '../../lib/condition-timer.ts'
import { allCarried, type Carriage } from '../../protocols/axelar/carriage.ts'
import { assetKey, type SolverAsset, type SolverChain } from './assets.ts'
import type { AttestedReservations } from './attested/reservations.ts'
import { createBlockPace } from './block-pace.ts'
import type { Commitments } from './commitments.ts'
import type { Settlement, Strategy } from './config.ts'
import { isDeepEnough } from './confirmation.ts'
import type { DecisionInput } from './decision.ts'
import { createFairPrice } from './fair-price.ts'
import type { Inventory } from './inventory.ts'
import type { SolverMode } from './modes.ts'
import type { OrderCosts } from './order-costs.ts'
import { orderKeys } from './order-keys.ts'
import type { OrderStatuses } from './order-statuses.ts'
import type { OrderTracker, TrackedOrder } from './order-tracker.ts'
import type { Takeovers } from './takeover/takeovers.ts'
import type { TransactionStates } from './transaction-states.ts'

export type ExamineDeps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  readonly tracker: Pick<OrderTracker, 'orders' | 'find'>
  readonly inventory: Pick<Inventory, 'holding' | 'isAllowed'>
  readonly reservations: Pick<AttestedReservations, 'sent'>
  readonly states: Pick<TransactionStates, 'known'>
  readonly commitments: Pick<Commitments, 'wasQuoted' | 'isAnnounced'>
  readonly costs: Pick<OrderCosts, 'isKnowable' | 'inUnitsOf'>
  readonly carriage: Pick<Carriage, 'of'> | undefined
  readonly mode: () => SolverMode
  readonly account: string
  readonly strategy: Strategy
  readonly settlement: Settlement
  readonly steady: () => Instant
}

/** Builds the decision input of orders. */
export type Examiner = {
  /** `isPayable`: whether the fill was tried and succeeds; undefined if unknown. */
  readonly examine: (
    known: TrackedOrder,
    statuses: OrderStatuses,
    isPayable: boolean | undefined,
  ) => DecisionInput
  /** Whether an order's deposit has the confirmations that the solver asks of its amount. */
  readonly isConfirmed: (known: TrackedOrder) => boolean
  /** Reads the heads and sums up what signed fills take: before orders are examined, and after each fill that is signed. */
  readonly renew: () => void
  /** Drops the timers of orders that are over. */
  readonly prune: () => void
}

/** Base units that fills through IntentSettlers took from an asset and its balance does not reflect yet. */
const sentByIntents = (
  { tracker, inventory, states }: Pick<ExamineDeps, 'tracker' | 'inventory' | 'states'>,
  asset: SolverAsset,
): bigint => {
  const readAt = inventory.holding(asset)?.blockNumber ?? 0n
  let total = 0n
  for (const { orderId, order, filled } of tracker.orders()) {
    const isShown = filled !== undefined && filled.blockNumber <= readAt
    const state = isShown ? 'none' : states.known(orderKeys(orderId).fill)
    if (state !== 'open' && state !== 'succeeded') continue
    if (assetKey(order.destinationChain, order.outputToken) === asset.key) total += order.outputAmount
  }
  return total
}

type Sent = (asset: SolverAsset) => bigint

/** Base units of an asset that no signed fill of an EVM order takes; undefined if its balance is unknown. */
const unsentByIntents = (
  deps: Pick<ExamineDeps, 'tracker' | 'inventory' | 'states'>,
  asset: SolverAsset,
  sent: Sent = (one) => sentByIntents(deps, one),
): bigint | undefined => {
  const holding = deps.inventory.holding(asset)
  return holding === undefined ? undefined : holding.spendable - sent(asset)
}

/** Base units of an asset that no signed fill of any kind takes; undefined if its balance is unknown. */
export const freeOf = (
  deps: Pick<ExamineDeps, 'tracker' | 'inventory' | 'states' | 'reservations'>,
  asset: SolverAsset,
  sent?: Sent,
): bigint | undefined => {
  const unsent = unsentByIntents(deps, asset, sent)
  return unsent === undefined ? undefined : unsent - deps.reservations.sent(asset)
}

/**
 * Whether an asset covers an amount. Payments of attested orders count until they are known to be made, so a shortfall
 * caused only by them is not certain.
 */
export const isCoveredBy = (
  deps: Pick<ExamineDeps, 'tracker' | 'inventory' | 'states' | 'reservations'>,
  asset: SolverAsset | undefined,
  amount: bigint,
  sent?: Sent,
): boolean | undefined => {
  const unsent = asset === undefined ? undefined : unsentByIntents(deps, asset, sent)
  if (asset === undefined || unsent === undefined) return undefined
  if (unsent < amount) return false
  return unsent - deps.reservations.sent(asset) >= amount ? true : undefined
}

/**
 * Seconds until a second by the clock of an EVM chain, negative after it; undefined while the chain cannot be read.
 * `steadyNow` is the steady time, which dates the chain's head.
 */
export const secondsUntil = (
  second: number,
  evm: Pick<EvmChain, 'head'> | undefined,
  steadyNow: Instant,
): number | undefined => {
  const head = evm?.head()
  if (head === undefined) return undefined
  // The next block's time is later than the last one's by at least the time elapsed since.
  return second - head.timestampSeconds - Math.max(0, Math.floor((steadyNow - head.readAt) / 1000))
}

const isOurs = (
  { chains, account }: ExamineDeps,
  { order, isTakeover }: Pick<TrackedOrder, 'order' | 'isTakeover'>,
): boolean => {
  const origin = chains.get(order.originChain)
  const destination = chains.get(order.destinationChain)
  return (
    origin !== undefined &&
    destination !== undefined &&
    isSameAddress(order.originSettler, origin.settler) &&
    isSameAddress(order.destinationSettler, destination.settler) &&
    isSameAddress(order.filler, account) !== isTakeover
  )
}

/** Whether Axelar carries messages of both chains of an order; undefined while that is unknown. */
const isCarriedBetween = (
  { carriage }: Pick<ExamineDeps, 'carriage'>,
  { originChain, destinationChain }: IntentOrder,
): boolean | undefined => allCarried([originChain, destinationChain].map((chainId) => carriage?.of(chainId)))

/** Time for the check and the signature of a decline, and the blocks in which it may be mined after them. */
const DECLINE_MARGIN_SECONDS = 2
const DECLINE_BLOCKS = 2

/** Whether a decline signed now is mined before strangers may fill; an unreadable clock says nothing. */
const isDeclineInTime = (
  { proven }: Pick<IntentOrder, 'proven'>,
  secondsPerBlock: number,
  secondsLeft: (second: number) => number | undefined,
): boolean => {
  if (proven === undefined) return true
  const left = secondsLeft(proven.exclusiveUntil)
  return left !== undefined && left >= DECLINE_MARGIN_SECONDS + DECLINE_BLOCKS * secondsPerBlock
}

/** An unreadable destination may contain a fill of ours; then the order must not be declined. */
const escrowOf = (
  { origin, destination }: OrderStatuses,
  isDestinationServed: boolean,
): DecisionInput['escrow'] => {
  if (isDestinationServed && destination === undefined) return 'unknown'
  if (origin === 'open') return 'open'
  return origin === 'proven' || origin === 'released' || origin === 'refunded' ? 'gone' : 'unknown'
}

/** What signed fills take, summed up once for all orders: each sum takes a look at every one of them. */
const createSums = (deps: ExamineDeps) => {
  const sums = new Map<string, bigint>()
  return {
    sent: (asset: SolverAsset): bigint => {
      const known = sums.get(asset.key) ?? sentByIntents(deps, asset)
      sums.set(asset.key, known)
      return known
    },
    forget: () => sums.clear(),
  }
}

/** Compares orders with the configuration, the inventory and the chains' clocks. */
export const createExaminer = (
  deps: ExamineDeps,
  takeovers: Pick<Takeovers, 'undeclinableSince' | 'isFair'>,
): Examiner => {
  const { chains, assets, inventory, states, settlement, steady } = deps
  const pace = createBlockPace()
  const { sent, forget } = createSums(deps)
  const fairPrice = createFairPrice({ ...deps, freeOf: (asset) => freeOf(deps, asset, sent) })
  const confirmedSince = createConditionTimer<OrderId>(steady)
  const uncoveredSince = createConditionTimer<OrderId>(steady)

  const isConfirmed = ({ orderId, order, opened, isTakeover }: TrackedOrder): boolean => {
    if (isTakeover) return takeovers.undeclinableSince(orderId) !== undefined
    const head = chains.get(order.originChain)?.evm.head()
    if (opened === undefined || head === undefined) return false
    return isDeepEnough(settlement, {
      isFinal: opened.isFinal,
      depthBlocks: head.number - opened.blockNumber,
      amount: order.inputAmount,
      token: assets.get(assetKey(order.originChain, order.inputToken))?.price,
    })
  }

  return {
    isConfirmed,
    renew: () => {
      forget()
      for (const [chainId, { evm }] of chains) pace.see(chainId, evm.head())
    },
    examine: (known, statuses, isPayable) => {
      const { orderId, order } = known
      const keys = orderKeys(orderId)
      const input = assets.get(assetKey(order.originChain, order.inputToken))
      const output = assets.get(assetKey(order.destinationChain, order.outputToken))
      const confirmed = isConfirmed(known)
      const covered = isCoveredBy(deps, output, order.outputAmount, sent)
      return {
        mode: deps.mode(),
        escrow: escrowOf(statuses, chains.has(order.destinationChain)),
        isFilled: known.filled !== undefined || statuses.destination === 'filled',
        fill: states.known(keys.fill),
        decline: states.known(keys.decline),
        lateAttempt: states.known(keys.late),
        shortAttempt: states.known(keys.short),
        isConfirmed: confirmed,
        confirmedForMs: confirmedSince.heldMs(orderId, confirmed),
        isAnnounced: deps.commitments.isAnnounced(orderId),
        mayDecline:
          !known.isTakeover &&
          isDeclineInTime(order, pace.secondsPerBlock(order.originChain), (second) =>
            secondsUntil(second, chains.get(order.originChain)?.evm, steady()),
          ),
        isOurs: isOurs(deps, known) && input?.price !== undefined && output?.price !== undefined,
        isFair: known.isTakeover ? takeovers.isFair(known) : fairPrice.isFair(known),
        isPayable,
        isCarried: isCarriedBetween(deps, order),
        isCovered: covered,
        uncoveredForMs: uncoveredSince.heldMs(orderId, covered === false),
        hasAllowance: output !== undefined && inventory.isAllowed(output, order.outputAmount, 'intent'),
        secondsLeft: secondsUntil(order.fillDeadline, chains.get(order.destinationChain)?.evm, steady()),
        fillMarginSeconds: settlement.fillMarginSeconds,
      }
    },
    prune: () => {
      const isKept = (orderId: OrderId): boolean => deps.tracker.find(orderId) !== undefined
      confirmedSince.keep(isKept)
      uncoveredSince.keep(isKept)
      fairPrice.keep(isKept)
    },
  }
}
