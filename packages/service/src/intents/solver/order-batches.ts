import type { ChainId } from '@openrfq/sdk'
import { keccak256, stringToHex } from 'viem/utils'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { createLru } from '../../lib/lru.ts'
import type { BatchPurpose, OrderBatch, Store, StoredTransaction } from '../../store/store.ts'
import type { KeyedCall, TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import type { TransactionStates } from './transaction-states.ts'

/** An order that waits for a transaction that it may share with others. */
export type WaitingOrder = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  /** Since when it waits. */
  readonly since: Instant
}

/** Orders of one transaction, never empty. `round` counts their earlier ones. */
type DueBatch = { readonly round: number; readonly orders: readonly [WaitingOrder, ...WaitingOrder[]] }

/** How orders are joined. */
export type BatchRules = {
  /** Orders with the same text may share a transaction. */
  readonly groupOf: (order: IntentOrder) => string
  /** The most orders of one transaction in a round. */
  readonly sizeIn: (round: number) => number
  /** How long an order waits for others in any case. */
  readonly waitMs: number
  /** How long it waits for so many that their transaction pays. */
  readonly patienceMs: number
  /** Whether a transaction of these orders costs little beside what it repays, or must not wait. */
  readonly pays: (orders: readonly IntentOrder[]) => boolean
}

/** The transactions of one purpose. */
export type BatchWork = BatchRules & {
  readonly purpose: BatchPurpose
  /** The chain on which an order's transaction is sent. */
  readonly chainOf: (order: IntentOrder) => ChainId
  /** After this time a transaction that succeeded is sent again, in case it had no effect. */
  readonly repeatMs: (order: IntentOrder) => number
  /** The transaction of some orders in a round; undefined if their chain is not served. */
  readonly callOf: (
    orders: readonly IntentOrder[],
    round: number,
  ) => Promise<Omit<KeyedCall, 'key'> | undefined>
  /** Those that a transaction has no effect on any more: with one of them it would revert. Never rejects. */
  readonly overOf: (orders: readonly WaitingOrder[]) => Promise<ReadonlySet<OrderId>>
  readonly onSigned: (entry: StoredTransaction, orders: readonly WaitingOrder[]) => void
  readonly onFailed: (error: unknown, orders: readonly WaitingOrder[]) => void
}

type Deps = {
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly store: Pick<Store, 'addToBatch' | 'findBatch'>
  readonly states: Pick<TransactionStates, 'lookUpTransaction' | 'note'>
  /** The steady time. */
  readonly now: () => Instant
}

/** The newest transaction of an order, and when its end was first seen. */
type Standing = OrderBatch & { endedAt: Instant | undefined }

const REMEMBERED = 100_000
/** A transaction that reverts or has no effect indicates a problem that more of them do not solve. */
const MAX_ROUNDS = 32
/** When an order whose transaction had no effect to make is looked at again: a block that ended it may leave the chain. */
const LOOK_AGAIN_MS = 30_000
const RETRY = { firstMs: 10_000, maximumMs: 3_600_000 }

/**
 * The batches to send now: per group and round all full ones, and a smaller last one once its oldest order has waited long
 * enough and it pays, or the order's patience has ended.
 */
export const batchesOf = <Waiting extends WaitingOrder & { readonly round: number }>(
  waiting: readonly Waiting[],
  { groupOf, sizeIn, waitMs, patienceMs, pays }: BatchRules,
  now: Instant,
): readonly DueBatch[] => {
  const sorted = waiting.toSorted((one, other) => one.since - other.since)
  const isDue = (orders: readonly [WaitingOrder, ...WaitingOrder[]], size: number): boolean => {
    const waitedMs = now - orders[0].since
    if (orders.length === size || waitedMs >= Math.max(waitMs, patienceMs)) return true
    return waitedMs >= waitMs && pays(orders.map(({ order }) => order))
  }
  const groups = Map.groupBy(sorted, ({ order, round }) => `${groupOf(order)} ${round}`)
  return [...groups.values()].flatMap((group) => {
    const batches: DueBatch[] = []
    const size = sizeIn(group[0]?.round ?? 0)
    for (let start = 0; start < group.length; start += size) {
      const [oldest, ...others] = group.slice(start, start + size)
      if (oldest !== undefined && isDue([oldest, ...others], size))
        batches.push({ round: oldest.round, orders: [oldest, ...others] })
    }
    return batches
  })
}

/** The outbox key of a batch: no two batches have the same orders in the same round. */
const keyOf = (purpose: BatchPurpose, { round, orders }: DueBatch): string => {
  const orderIds = orders.map(({ orderId }) => orderId).toSorted()
  return `${purpose}:${round}:${keccak256(stringToHex(orderIds.join()))}`
}

/** The orders that a transaction had no effect on when it was due. */
const createOver = ({ overOf }: Pick<BatchWork, 'overOf'>, now: () => Instant) => {
  const seen = createLru<OrderId, Instant>(REMEMBERED)
  return {
    isOver: (orderId: OrderId): boolean =>
      now() - (seen.get(orderId) ?? Number.NEGATIVE_INFINITY) < LOOK_AGAIN_MS,
    /** The batch without those of its orders; undefined if none is left. */
    without: async (batch: DueBatch): Promise<DueBatch | undefined> => {
      const over = await overOf(batch.orders)
      for (const orderId of over) seen.set(orderId, now())
      const [first, ...others] = batch.orders.filter(({ orderId }) => !over.has(orderId))
      return first === undefined ? undefined : { ...batch, orders: [first, ...others] }
    },
  }
}

/**
 * Sends the transactions of one purpose, each order in one at a time: again only after the last one reverted, or had no
 * effect for long. What an earlier process signed counts. The result runs one round over the waiting orders, and rejects
 * only if the store fails.
 */
export const createOrderBatches = (deps: Deps, work: BatchWork) => {
  const { outboxes, store, states, now } = deps
  const { purpose, repeatMs } = work
  const standings = createLru<OrderId, Standing>(REMEMBERED)
  const over = createOver(work, now)

  const standingOf = async (orderId: OrderId): Promise<Standing | undefined> => {
    const known = standings.get(orderId)
    if (known !== undefined) return known
    const stored = await store.findBatch(purpose, orderId)
    if (stored === undefined) return undefined
    const standing = { ...stored, endedAt: undefined }
    standings.set(orderId, standing)
    return standing
  }
  /** The round of the order's next transaction; undefined if none is due. */
  const dueRound = async ({ orderId, order }: WaitingOrder): Promise<number | undefined> => {
    const standing = await standingOf(orderId)
    if (standing === undefined) return 0
    const state = await states.lookUpTransaction(standing.key)
    const round = standing.round + 1
    if (state === 'open' || round >= MAX_ROUNDS) return undefined
    // Noted, and never signed.
    if (state === 'none') return standing.round
    standing.endedAt ??= now()
    const pause = state === 'succeeded' ? repeatMs(order) : backoffMs(RETRY, round)
    return now() - standing.endedAt >= pause ? round : undefined
  }
  const send = async (joined: DueBatch): Promise<void> => {
    const batch = await over.without(joined)
    if (batch === undefined) return
    const [{ order }] = batch.orders
    const outbox = outboxes.get(work.chainOf(order))
    const call = await work.callOf(
      batch.orders.map((one) => one.order),
      batch.round,
    )
    if (outbox === undefined || call === undefined) return
    const noted = { round: batch.round, key: keyOf(purpose, batch) }
    for (const { orderId } of batch.orders) {
      await store.addToBatch(purpose, orderId, noted)
      standings.set(orderId, { ...noted, endedAt: undefined })
    }
    // The store knows whether it was signed, also if this fails.
    states.note({ key: noted.key, outcome: 'open' })
    const entry = await outbox.submit({ key: noted.key, ...call })
    states.note(entry)
    work.onSigned(entry, batch.orders)
  }

  return async (waiting: readonly WaitingOrder[]): Promise<void> => {
    const due: (WaitingOrder & { readonly round: number })[] = []
    for (const one of waiting.filter(({ orderId }) => !over.isOver(orderId))) {
      const round = await dueRound(one)
      if (round !== undefined) due.push({ ...one, round })
    }
    for (const batch of batchesOf(due, work, now())) {
      try {
        await send(batch)
      } catch (error) {
        work.onFailed(error, batch.orders)
      }
    }
  }
}
