import type { EvmChain } from '../../../chains/evm/evm-chain.ts'
import type { Instant } from '../../../core/instant.ts'
import type { OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import { createLru } from '../../../lib/lru.ts'
import { SETTLER_TOPICS } from '../../settlers/settler-events.ts'
import { assetKey, type SolverAsset } from '../assets.ts'
import type { Settlement } from '../config.ts'
import { isDeepEnough } from '../confirmation.ts'
import type { DecisionInput } from '../decision.ts'
import type { OrderStatuses } from '../order-statuses.ts'
import type { PendingOrder } from './pending-orders.ts'
import type { AttestedSide, AttestedSides } from './sides.ts'

/** Whether an order has a deposit, and whether it may be relied on. */
export type Escrow = Pick<DecisionInput, 'escrow' | 'isConfirmed'>

/** Checks deposits on their chains. */
export type Escrows = {
  /**
   * `status` is what the settler of an EVM origin, or the escrow program, currently reports. Never rejects: an unreadable deposit is unknown.
   */
  readonly look: (entry: PendingOrder, status: OrderStatuses['origin']) => Promise<Escrow>
}

type EscrowDeps = {
  readonly sides: AttestedSides
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  readonly settlement: Pick<Settlement, 'confirmations'>
  readonly now: () => Instant
  readonly log: Log
}

type EvmSide = AttestedSide & { readonly kind: 'evm' }

const MAX_KNOWN = 20_000
/** The maximum range of one search. */
const SEARCHED_BLOCKS = 20_000n
/** A deposit dropped by a reorg is usually mined again nearby. */
const NEARBY_BLOCKS = 100n
/** A deposit that was not found is searched for again with exponential back-off. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

const UNKNOWN: Escrow = { escrow: 'unknown', isConfirmed: false }
const UNCONFIRMED: Escrow = { escrow: 'open', isConfirmed: false }

/** The block of the deposit; undefined if the settler emitted none up to the head. */
const findOpened = async (
  { evm, settler }: EvmSide,
  orderId: OrderId,
  blocks: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<bigint | undefined> => {
  const [found] = await evm.findLogs({
    ...blocks,
    address: settler.toLowerCase(),
    topics: [SETTLER_TOPICS.attestedOpen, orderId],
  })
  return found?.blockNumber
}

/** Where a deposit was last seen, or since when it is missing and how long to wait before the next search. */
type Search = { readonly seenIn: bigint } | { readonly missedAt: Instant; readonly pauseMs: number }

/** The next state of a search, given its result. */
const searchAfter = (before: Search | undefined, found: bigint | undefined, now: Instant): Search => {
  if (found !== undefined) return { seenIn: found }
  const pauseMs = before !== undefined && 'pauseMs' in before ? before.pauseMs * 2 : FIRST_PAUSE_MS
  return { missedAt: now, pauseMs: Math.min(pauseMs, MAX_PAUSE_MS) }
}

/**
 * A deposit on an EVM chain counts if the AttestedSettler reports the order as open and its event is in a block that is
 * deep enough, and in an escrow program if a quorum of endpoints shows it open in a final block; in a vault the service's
 * notice counts, because the operator is the one who repays the solver there.
 */
export const createEscrows = ({ sides, assets, settlement, now, log }: EscrowDeps): Escrows => {
  const searches = createLru<OrderId, Search>(MAX_KNOWN)
  const relied = createLru<OrderId, true>(MAX_KNOWN)

  const isDeep = (
    { order }: PendingOrder,
    blockNumber: bigint,
    head: NonNullable<ReturnType<EvmChain['head']>>,
  ): boolean =>
    isDeepEnough(settlement, {
      isFinal: blockNumber <= head.finalNumber,
      depthBlocks: head.number - blockNumber,
      amount: order.inputAmount,
      token: assets.get(assetKey(order.originChain, order.inputToken))?.price,
    })

  const search = async (entry: PendingOrder, side: EvmSide): Promise<Escrow> => {
    const { orderId } = entry
    const head = side.evm.head()
    if (head === undefined) return UNKNOWN
    const before = searches.get(orderId)
    const earliest = head.number - SEARCHED_BLOCKS + 1n
    let from = earliest
    if (before !== undefined && 'seenIn' in before) {
      if (!isDeep(entry, before.seenIn, head)) return UNCONFIRMED
      from = before.seenIn - NEARBY_BLOCKS
    } else if (before !== undefined && now() - before.missedAt < before.pauseMs) return UNCONFIRMED
    const fromBlock = from > earliest ? from : earliest
    const blocks = { fromBlock: fromBlock > 0n ? fromBlock : 0n, toBlock: head.number }
    const found = await findOpened(side, orderId, blocks)
    searches.set(orderId, searchAfter(before, found, now()))
    const isConfirmed = found !== undefined && isDeep(entry, found, head)
    if (isConfirmed && found <= head.finalNumber) relied.set(orderId, true)
    return { escrow: 'open', isConfirmed }
  }

  const lookOnEvm = async (
    entry: PendingOrder,
    side: EvmSide,
    status: OrderStatuses['origin'],
  ): Promise<Escrow> => {
    if (status === 'released' || status === 'refunded') return { escrow: 'gone', isConfirmed: false }
    if (status !== 'open') return UNKNOWN
    if (relied.get(entry.orderId) === true) return { escrow: 'open', isConfirmed: true }
    try {
      return await search(entry, side)
    } catch (error) {
      log('warn', 'deposit_search_failed', { chainId: side.chainId, error })
      return UNKNOWN
    }
  }

  return {
    look: async (entry, status) => {
      const side = sides.get(entry.order.originChain)
      if (side === undefined) return UNKNOWN
      if (side.kind === 'evm') return lookOnEvm(entry, side, status)
      if (side.escrow === undefined) return { escrow: 'open', isConfirmed: entry.isFinal }
      if (status === 'released' || status === 'refunded') return { escrow: 'gone', isConfirmed: false }
      return status === 'open' ? { escrow: 'open', isConfirmed: true } : UNKNOWN
    },
  }
}
