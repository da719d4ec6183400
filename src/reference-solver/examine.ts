import type { ChainId } from '../core/chain.ts'
import type { Instant } from '../core/instant.ts'
import type { IntentOrder, OrderId } from '../core/intent-order.ts'
import { assetKey, type SolverAsset, type SolverChain } from './assets.ts'
import type { Settlement, Strategy } from './config.ts'
import { isDeepEnough } from './confirmation.ts'
import type { OrderFacts } from './decision.ts'
import type { Inventory } from './inventory.ts'
import type { SolverMode } from './modes.ts'
import type { KnownOrder, OrderLedger } from './order-ledger.ts'
import type { OrderStatuses } from './order-statuses.ts'
import type { OutboxStates } from './outbox-states.ts'
import { highestOutput } from './pricing.ts'

/** What our transactions for an order are called in the outbox. */
export const orderKeys = (orderId: OrderId) => ({
  fill: `fill:${orderId}`,
  decline: `decline:${orderId}`,
  late: `late:${orderId}`,
  short: `short:${orderId}`,
})

export type ExamineDeps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  readonly ledger: Pick<OrderLedger, 'orders' | 'find'>
  readonly inventory: Pick<Inventory, 'holding' | 'isAllowed'>
  readonly states: Pick<OutboxStates, 'known'>
  readonly mode: () => SolverMode
  readonly account: string
  readonly strategy: Strategy
  readonly settlement: Settlement
  readonly now: () => Instant
}

/** Puts together what is known of orders. */
export type Examiner = {
  readonly examine: (known: KnownOrder, statuses: OrderStatuses) => OrderFacts
  /** Forgets since when things have been so, of orders that are over. */
  readonly prune: () => void
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Base units that fills take from an asset although its reading does not show them yet. */
const sentFrom = ({ ledger, inventory, states }: ExamineDeps, asset: SolverAsset): bigint => {
  const readAt = inventory.holding(asset)?.blockNumber ?? 0n
  let total = 0n
  for (const { orderId, order, filled } of ledger.orders()) {
    const isShown = filled !== undefined && filled.blockNumber <= readAt
    const state = isShown ? 'none' : states.known(orderKeys(orderId).fill)
    if (state !== 'open' && state !== 'succeeded') continue
    if (assetKey(order.destinationChain, order.outputToken) === asset.key) total += order.outputAmount
  }
  return total
}

const secondsLeft = (
  order: IntentOrder,
  chain: SolverChain | undefined,
  now: Instant,
): number | undefined => {
  const head = chain?.evm.head()
  if (head === undefined) return undefined
  // The next block is later than the last one by at least the time that has passed.
  return order.fillDeadline - head.timestampSeconds - Math.max(0, Math.floor((now - head.readAt) / 1000))
}

const isOurs = ({ chains, account }: ExamineDeps, order: IntentOrder): boolean => {
  const origin = chains.get(order.originChain)
  const destination = chains.get(order.destinationChain)
  return (
    origin !== undefined &&
    destination !== undefined &&
    isSame(order.originSettler, origin.settler) &&
    isSame(order.destinationSettler, destination.settler) &&
    isSame(order.filler, account)
  )
}

/** A destination that cannot be read may hold a fill of ours, and then nothing must be given back. */
const escrowOf = (
  { origin, destination }: OrderStatuses,
  isDestinationServed: boolean,
): OrderFacts['escrow'] => {
  if (isDestinationServed && destination === undefined) return 'unknown'
  if (origin === 'open') return 'open'
  return origin === 'released' || origin === 'refunded' ? 'gone' : 'unknown'
}

/** Remembers since when an order has been in some condition. */
const createSince = (now: () => Instant) => {
  const marks = new Map<OrderId, Instant>()
  return {
    forMs: (orderId: OrderId, holds: boolean): number => {
      if (!holds) marks.delete(orderId)
      else if (!marks.has(orderId)) marks.set(orderId, now())
      return holds ? now() - (marks.get(orderId) ?? now()) : 0
    },
    keep: (isKept: (orderId: OrderId) => boolean): void => {
      for (const orderId of marks.keys()) if (!isKept(orderId)) marks.delete(orderId)
    },
  }
}

/** Compares orders with the configuration, the inventory and the chains' clocks. */
export const createExaminer = (deps: ExamineDeps): Examiner => {
  const { chains, assets, inventory, states, settlement, strategy, now } = deps
  const confirmedSince = createSince(now)
  const uncoveredSince = createSince(now)

  const isConfirmed = ({ order, opened }: KnownOrder): boolean => {
    const head = chains.get(order.originChain)?.evm.head()
    if (opened === undefined || head === undefined) return false
    const depth = { isFinal: opened.isFinal, depthBlocks: head.number - opened.blockNumber }
    const input = assets.get(assetKey(order.originChain, order.inputToken))
    return isDeepEnough(settlement, depth, order.inputAmount, input?.price)
  }
  const isCovered = (order: IntentOrder, output: SolverAsset | undefined): boolean | undefined => {
    const holding = output === undefined ? undefined : inventory.holding(output)
    if (output === undefined || holding === undefined) return undefined
    return holding.spendable - sentFrom(deps, output) >= order.outputAmount
  }

  return {
    examine: (known, statuses) => {
      const { orderId, order } = known
      const keys = orderKeys(orderId)
      const input = assets.get(assetKey(order.originChain, order.inputToken))
      const output = assets.get(assetKey(order.destinationChain, order.outputToken))
      const pair =
        input?.price === undefined || output?.price === undefined
          ? undefined
          : { input: input.price, output: output.price }
      const confirmed = isConfirmed(known)
      const covered = isCovered(order, output)
      return {
        mode: deps.mode(),
        escrow: escrowOf(statuses, chains.has(order.destinationChain)),
        isFilled: known.filled !== undefined || statuses.destination === 'filled',
        fill: states.known(keys.fill),
        decline: states.known(keys.decline),
        lateAttempt: states.known(keys.late),
        shortAttempt: states.known(keys.short),
        isConfirmed: confirmed,
        confirmedForMs: confirmedSince.forMs(orderId, confirmed),
        isOurs: isOurs(deps, order) && pair !== undefined,
        isFair: pair !== undefined && order.outputAmount <= highestOutput(pair, strategy, order.inputAmount),
        isCovered: covered,
        uncoveredForMs: uncoveredSince.forMs(orderId, covered === false),
        hasAllowance: output !== undefined && inventory.isAllowed(output, order.outputAmount),
        secondsLeft: secondsLeft(order, chains.get(order.destinationChain), now()),
        fillMarginSeconds: settlement.fillMarginSeconds,
      }
    },
    prune: () => {
      const isKept = (orderId: OrderId): boolean => deps.ledger.find(orderId) !== undefined
      confirmedSince.keep(isKept)
      uncoveredSince.keep(isKept)
    },
  }
}
