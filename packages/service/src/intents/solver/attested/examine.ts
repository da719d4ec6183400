import { baseUnits } from '../../../core/amount.ts'
import type { Instant } from '../../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import { createConditionTimer } from '../../../lib/condition-timer.ts'
import { assetKey } from '../assets.ts'
import type { DecisionInput } from '../decision.ts'
import { type ExamineDeps, freeOf, isCoveredBy, secondsUntil } from '../examine.ts'
import { createFairPrice } from '../fair-price.ts'
import { orderKeys } from '../order-keys.ts'
import type { OrderStatuses } from '../order-statuses.ts'
import { unitsOfWorth, usdOfUnits } from '../pricing.ts'
import type { EarlierFill } from './earlier-fills.ts'
import type { Escrow } from './escrows.ts'
import type { PendingOrder, PendingOrders } from './pending-orders.ts'
import { type AttestedSide, type AttestedSides, isServed } from './sides.ts'

export type AttestedExamineDeps = Omit<ExamineDeps, 'chains' | 'carriage'> & {
  readonly now: () => Instant
  readonly sides: AttestedSides
  readonly attester: string | undefined
  readonly pendingOrders: Pick<PendingOrders, 'orders'>
}

/** Facts read about an order for this decision. */
export type Readings = {
  readonly statuses: OrderStatuses
  readonly deposit: Escrow
  /** Whether the recipient can receive the output; undefined if unknown. */
  readonly isPayable: boolean | undefined
  /** The gas limit of a fill on an EVM chain. */
  readonly gasLimit: bigint
  /** What opening the recipient's account costs, in base units of the destination's native asset; undefined if unknown. */
  readonly openingRent: bigint | undefined
  readonly earlierFill: EarlierFill
}

/** Builds the decision input of attested orders. */
export type AttestedExaminer = {
  readonly examine: (entry: PendingOrder, readings: Readings) => DecisionInput
  /** Drops the timers of orders that are over. */
  readonly prune: () => void
}

/** The minimum time that a payment on a payment chain needs to land. */
const PAYMENT_CHAIN_SECONDS = 10

const secondsLeftOn = (
  side: AttestedSide | undefined,
  { fillDeadline }: IntentOrder,
  { now, steady }: Pick<AttestedExamineDeps, 'now' | 'steady'>,
): number | undefined => {
  if (side === undefined) return undefined
  if (side.kind === 'evm') return secondsUntil(fillDeadline, side.evm, steady())
  const head = side.paymentChain.head()
  if (head === undefined) return undefined
  // A head may be some seconds old; the later of the two clocks leaves less time.
  return fillDeadline - Math.max(head.timestampSeconds, Math.floor(now() / 1000))
}

/** Time for a decline to be mined. */
const DECLINE_MARGIN_SECONDS = 2

/** An AttestedSettler takes declines until the fill deadline; the escrow program and the operator take them later, too. */
const mayDecline = (
  origin: AttestedSide | undefined,
  { fillDeadline }: IntentOrder,
  steadyNow: Instant,
): boolean =>
  origin?.kind !== 'evm' || (secondsUntil(fillDeadline, origin.evm, steadyNow) ?? 0) >= DECLINE_MARGIN_SECONDS

/** An unreadable destination may contain a fill of ours; then the order must not be declined. */
const escrowOf = (
  { statuses, deposit, earlierFill }: Readings,
  destination: AttestedSide | undefined,
): DecisionInput['escrow'] =>
  earlierFill === undefined || (destination?.kind === 'evm' && statuses.destination === undefined)
    ? 'unknown'
    : deposit.escrow

/** Judges what an order costs: its output, and what opening the recipient's account costs beside it. */
const createFairPayment = (deps: AttestedExamineDeps) => {
  const { assets } = deps
  const fairPrice = createFairPrice({ ...deps, freeOf: (asset) => freeOf(deps, asset) })
  const nativeAssets = new Map(
    [...assets.values()].flatMap((asset) => (asset.isNative ? [[asset.chainId, asset] as const] : [])),
  )
  /** Rent in base units of the output, rounded up; undefined without a price of the native asset. */
  const rentInOutput = ({ destinationChain, outputToken }: IntentOrder, rent: bigint): bigint | undefined => {
    const output = assets.get(assetKey(destinationChain, outputToken))?.price
    if (rent === 0n || output === undefined) return 0n
    const native = nativeAssets.get(destinationChain)?.price
    return native && unitsOfWorth(usdOfUnits(rent, native), output)
  }
  return {
    isFair: (
      { orderId, order }: PendingOrder,
      { openingRent }: Readings,
      firstSeenAt: Instant,
    ): boolean | undefined => {
      if (openingRent === undefined) return undefined
      const rent = rentInOutput(order, openingRent)
      if (rent === undefined) return false
      const paid = { ...order, outputAmount: baseUnits(order.outputAmount + rent) }
      return fairPrice.isFair({ orderId, order: paid, firstSeenAt })
    },
    keep: fairPrice.keep,
  }
}

/** Compares attested orders with the configuration, the inventory and the chains' clocks. */
export const createAttestedExaminer = (deps: AttestedExamineDeps): AttestedExaminer => {
  const { sides, assets, inventory, states, settlement, steady } = deps
  const fairPrice = createFairPayment(deps)
  const seenSince = createConditionTimer<OrderId>(steady)
  const confirmedSince = createConditionTimer<OrderId>(steady)
  const uncoveredSince = createConditionTimer<OrderId>(steady)

  return {
    examine: (entry, readings) => {
      const { orderId, order } = entry
      const keys = orderKeys(orderId)
      const destination = sides.get(order.destinationChain)
      const output = assets.get(assetKey(order.destinationChain, order.outputToken))
      // A short or late fill reverts on a contract but would be paid on a payment chain, so it is not attempted there.
      const attempt = destination?.kind === 'evm' ? states.known : () => 'reverted' as const
      const input = assets.get(assetKey(order.originChain, order.inputToken))
      const covered = isCoveredBy(deps, output, order.outputAmount)
      const { isConfirmed } = readings.deposit
      return {
        mode: deps.mode(),
        escrow: escrowOf(readings, destination),
        isFilled: readings.statuses.destination === 'filled' || readings.earlierFill === 'made',
        fill: states.known(keys.fill),
        decline: states.known(keys.decline),
        lateAttempt: attempt(keys.late),
        shortAttempt: attempt(keys.short),
        isConfirmed,
        confirmedForMs: confirmedSince.heldMs(orderId, isConfirmed),
        isAnnounced: true,
        mayDecline: mayDecline(sides.get(order.originChain), order, steady()),
        isOurs: isServed(deps, order) && input?.price !== undefined && output?.price !== undefined,
        isFair: fairPrice.isFair(entry, readings, steady() - seenSince.heldMs(orderId, true)),
        // The attester's signature proves an attested fill.
        isCarried: true,
        isPayable: readings.isPayable,
        isCovered: covered,
        uncoveredForMs: uncoveredSince.heldMs(orderId, covered === false),
        hasAllowance: output !== undefined && inventory.isAllowed(output, order.outputAmount, 'attested'),
        secondsLeft: secondsLeftOn(destination, order, deps),
        fillMarginSeconds:
          settlement.fillMarginSeconds + (destination?.kind === 'payment' ? PAYMENT_CHAIN_SECONDS : 0),
      }
    },
    prune: () => {
      const known = new Set(deps.pendingOrders.orders().map(({ orderId }) => orderId))
      confirmedSince.keep((orderId) => known.has(orderId))
      uncoveredSince.keep((orderId) => known.has(orderId))
      seenSince.keep((orderId) => known.has(orderId))
      fairPrice.keep((orderId) => known.has(orderId))
    },
  }
}
