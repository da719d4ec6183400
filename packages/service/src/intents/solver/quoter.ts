import type { ChainId } from '@openrfq/sdk'
import { baseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { SETTLER_KINDS, type SettlerKind } from '../settlers/order-status.ts'
import { PROTOCOL_LIMITS, type Rung, type StandingQuote } from '../solver-api/protocol.ts'
import { assetKey, type SolverAsset } from './assets.ts'
import type { AttestedReservations } from './attested/reservations.ts'
import type { Commitments } from './commitments.ts'
import type { Strategy } from './config.ts'
import type { Inventory } from './inventory.ts'
import { createInventoryNotice } from './inventory-notice.ts'
import type { OrderCosts } from './order-costs.ts'
import type { OrderTracker } from './order-tracker.ts'
import { directionOf, type Pair, pairsOf } from './pairs.ts'
import { ladderOf } from './pricing.ts'
import type { ServiceLink } from './service-link.ts'

type QuoterDeps = {
  readonly assets: readonly SolverAsset[]
  readonly inventory: Pick<Inventory, 'holding' | 'isAllowed'>
  readonly tracker: Pick<OrderTracker, 'orders'>
  readonly reservations: Pick<AttestedReservations, 'owed'>
  readonly commitments: Pick<Commitments, 'publish' | 'isCommitted'>
  /** The chains of attested orders. */
  readonly sides: { readonly has: (chainId: ChainId) => boolean }
  /** Whether the solver may take on orders of a kind on a chain. */
  readonly isFit: (chainId: ChainId, kind: SettlerKind) => boolean
  readonly costs: Pick<OrderCosts, 'isKnowable' | 'inUnitsOf'>
  readonly link: Pick<ServiceLink, 'send' | 'sendQuotes' | 'isOpen'>
  readonly strategy: Strategy
  /** Called after each round by which every pair has been quoted as far as possible since the login, if not at once. */
  readonly onQuoting: () => void
  readonly now: () => Instant
  readonly log: Log
}

/** Keeps the service's view of prices and inventory up to date. */
export type Quoter = {
  /** Sends what has changed and renews what is about to expire. */
  readonly round: () => Promise<void>
  /** Called when the service has lost all state. */
  readonly reset: () => void
  /** Withdraws every standing quote. */
  readonly withdraw: () => Promise<void>
}

type PublishedQuote = { readonly text: string; readonly at: Instant; readonly isEmpty: boolean }

/** Leaves room for the rest of the message around its pairs. */
const MAX_PAIRS_BYTES = PROTOCOL_LIMITS.maxFrameBytes - 1_024
/** Leaves two messages per second for the inventory and one for a decline. */
const MAX_MESSAGES_PER_ROUND = PROTOCOL_LIMITS.messagesPerSecond - 3
/** The most messages of a round: of the burst that the service allows, the inventory and a decline may use three. */
const MAX_MESSAGES_AT_ONCE = PROTOCOL_LIMITS.messageBurst - 3

const standingText = (ladder: readonly Rung[]): string =>
  ladder.map(({ input, output, fee }) => `${input} ${output} ${fee}`).join()

/** Upper bound of a quote's size on the wire, in bytes. */
const bytesOf = ({ ladder }: StandingQuote): number => 320 + ladder.length * 40 + standingText(ladder).length

/** Splits quotes into messages as large as the protocol allows. */
export const splitQuotes = (quotes: readonly StandingQuote[]): readonly (readonly StandingQuote[])[] => {
  const messages: StandingQuote[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const quote of quotes) {
    const last = messages.at(-1)
    const size = bytesOf(quote)
    if (
      last === undefined ||
      bytes + size > MAX_PAIRS_BYTES ||
      last.length >= PROTOCOL_LIMITS.maxPairsPerMessage
    ) {
      messages.push([quote])
      bytes = size
    } else {
      last.push(quote)
      bytes += size
    }
  }
  return messages
}

/**
 * The messages for quotes, in the order of their first quotes. A service without payment chains rejects messages with
 * attested pairs, so kinds are not mixed.
 */
export const messagesOf = (
  quotes: readonly (readonly [Pick<Pair, 'settler'>, StandingQuote])[],
): readonly (readonly StandingQuote[])[] => {
  const places = new Map(quotes.map(([, quote], place) => [quote, place]))
  const placeOf = ([first]: readonly StandingQuote[]): number =>
    first === undefined ? 0 : (places.get(first) ?? 0)
  const ofKind = (kind: SettlerKind): readonly StandingQuote[] =>
    quotes.flatMap(([{ settler }, quote]) => (settler === kind ? [quote] : []))
  return SETTLER_KINDS.flatMap((kind) => splitQuotes(ofKind(kind))).toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  )
}

/**
 * Deposited orders that are not paid yet reduce what can be quoted, unless the solver never quoted them: anybody can open an
 * order that names the solver.
 */
const owed = ({ tracker, inventory, reservations, commitments }: QuoterDeps, asset: SolverAsset): bigint => {
  const readAt = inventory.holding(asset)?.blockNumber ?? 0n
  let total = reservations.owed(asset)
  for (const { orderId, order, opened, filled } of tracker.orders()) {
    if (filled === undefined && !commitments.isCommitted(orderId)) continue
    const isPaid = filled === undefined ? opened === undefined : filled.blockNumber <= readAt
    if (!isPaid && assetKey(order.destinationChain, order.outputToken) === asset.key)
      total += order.outputAmount
  }
  return total
}

const ladderFor = (deps: QuoterDeps, pair: Pair, free: bigint): readonly Rung[] => {
  const { from, to, settler } = pair
  if (from.price === undefined || to.price === undefined || free <= 0n) return []
  if (!deps.isFit(from.chainId, settler) || !deps.isFit(to.chainId, settler)) return []
  const cost = deps.costs.inUnitsOf(to.price, directionOf(pair))
  if (cost === undefined) return []
  const prices = { input: from.price, output: to.price }
  const ladder = ladderOf(prices, deps.strategy, baseUnits(free), cost)
  const largest = ladder.at(-1)
  return largest !== undefined && deps.inventory.isAllowed(to, largest.output, settler) ? ladder : []
}

const toStanding = ({ from, to }: Pair, ladder: readonly Rung[], validForMs: number): StandingQuote => ({
  fromChain: from.chainId,
  fromToken: from.address,
  toChain: to.chainId,
  toToken: to.address,
  ladder: [...ladder],
  validForMs,
})

/** Whether what an order of the pair costs is known, if it can be. */
const isCosted = ({ costs }: QuoterDeps, pair: Pair): boolean => {
  const { price } = pair.to
  if (price === undefined || !costs.isKnowable(directionOf(pair))) return true
  return costs.inUnitsOf(price, directionOf(pair)) !== undefined
}

const canQuote = (deps: QuoterDeps, pair: Pair): boolean =>
  [pair.from, pair.to].every(
    (asset) => deps.isFit(asset.chainId, pair.settler) && deps.inventory.isAllowed(asset, 1n, 'intent'),
  ) && isCosted(deps, pair)

/** Quotes the pairs of priced assets on different chains. */
export const createQuoter = (deps: QuoterDeps): Quoter => {
  const { assets, inventory, link, strategy, now } = deps
  const pairs = pairsOf(assets, deps.sides)
  const published = new Map<Pair, PublishedQuote>()
  /** How many messages the next round may send. */
  let allowance = MAX_MESSAGES_AT_ONCE
  /** The pairs that no round since the login could quote. */
  const unquoted = new Set(pairs)
  const inventoryNotice = createInventoryNotice(deps)

  /** Quotes that differ from the published ones or have used half their validity; the longest-published come first. */
  const changes = (): readonly (readonly [Pair, StandingQuote])[] => {
    const free = new Map(
      assets.map((asset) => [asset.key, (inventory.holding(asset)?.spendable ?? 0n) - owed(deps, asset)]),
    )
    const oldestFirst = pairs.toSorted(
      (one, other) => (published.get(one)?.at ?? 0) - (published.get(other)?.at ?? 0),
    )
    return oldestFirst.flatMap((pair) => {
      const ladder = ladderFor(deps, pair, free.get(pair.to.key) ?? 0n)
      const before = published.get(pair)
      const isEmpty = ladder.length === 0
      if (isEmpty && before?.isEmpty !== false) return []
      const isFresh = before !== undefined && now() - before.at < strategy.validForMs / 2
      if (isFresh && before.text === standingText(ladder)) return []
      return [[pair, toStanding(pair, ladder, strategy.validForMs)] as const]
    })
  }

  const publish = async (quotes: readonly (readonly [Pair, StandingQuote])[]): Promise<void> => {
    const pairOf = new Map(quotes.map(([pair, quote]) => [quote, pair]))
    const messages = messagesOf(quotes)
    const allowed = messages.slice(0, allowance)
    allowance = Math.min(MAX_MESSAGES_AT_ONCE, allowance - allowed.length + MAX_MESSAGES_PER_ROUND)
    for (const message of allowed) {
      if (!(await link.sendQuotes(message))) return
      for (const quote of message) {
        const pair = pairOf.get(quote)
        const isEmpty = quote.ladder.length === 0
        if (pair === undefined) continue
        published.set(pair, { text: standingText(quote.ladder), at: now(), isEmpty })
        deps.commitments.publish(pair, quote.ladder, quote.validForMs)
      }
    }
    if (!quotes.every(([pair]) => published.has(pair))) return
    for (const pair of unquoted) if (canQuote(deps, pair)) unquoted.delete(pair)
    if (unquoted.size === 0) deps.onQuoting()
  }

  return {
    round: async () => {
      if (!link.isOpen()) return
      inventoryNotice.publish()
      await publish(changes())
    },
    reset: () => {
      published.clear()
      allowance = MAX_MESSAGES_AT_ONCE
      for (const pair of pairs) unquoted.add(pair)
      inventoryNotice.reset()
    },
    withdraw: async () => {
      const standing = [...published].flatMap(([pair, { isEmpty }]) => (isEmpty ? [] : [pair]))
      await publish(standing.map((pair) => [pair, toStanding(pair, [], strategy.validForMs)] as const))
    },
  }
}
