import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import type { EvmBlock, EvmChain, WatchedLog } from '../../chains/evm/evm-chain.ts'
import type { LogCursor, LogProgress } from '../../chains/evm/log-progress.ts'
import { createLogWatcher, type LogWatcher } from '../../chains/evm/log-watcher.ts'
import type { HistoryFault } from '../../chains/rpc/history-fault.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { createEmitter } from '../../lib/emitter.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import type { ChainEvent, Store } from '../../store/store.ts'
import { type NamedChains, nameChains } from './attested-order.ts'
import { groupOrderEvents, type OrderEvents, type SettlerEventRecord } from './order-events.ts'
import { readSettlerEvent, SETTLER_TOPICS } from './settler-events.ts'

/** An order's id and chains. */
type OrderPlace = {
  readonly orderId: OrderId
  readonly originChain: ChainId
  readonly destinationChain: ChainId
}

/**
 * Called for every event when it is first seen, and again when it is final; final ones are repeated after a restart.
 */
type SettlerEventListener = (record: SettlerEventRecord) => Promise<void> | void

/** All settler events by order. */
export type OrderEventIndex = {
  /**
   * The events of an order: final ones from the store, others from the chains' current state. Rejects if an EVM chain
   * of the order is not read up to its head and could still change the result; payment chains have no settlers and no
   * events here.
   */
  readonly getOrderEvents: (order: OrderPlace) => Promise<OrderEvents>
  /** The known events of an order, whether or not the chains can be read now. */
  readonly lastKnown: (order: OrderPlace) => Promise<OrderEvents>
  /**
   * The newest final block of a chain up to which every event is indexed, or undefined before the first. Events read
   * after this call include all up to it.
   */
  readonly finalBlock: (chainId: ChainId) => EvmBlock | undefined
  /** Whether all events up to the head of an EVM chain with a settler are known, which quotes require. */
  readonly isCurrent: (chainId: ChainId) => boolean
  /** Why events of a chain cannot be read on until the operator acts; undefined while they can. */
  readonly historyFault: (chainId: ChainId) => HistoryFault | undefined
  /** Returns the unsubscriber. Errors of a listener are logged. */
  readonly onEvent: (listener: SettlerEventListener) => () => void
  /** Resumes reading at the stored cursors; resolves after the first attempt on every chain. */
  readonly start: () => Promise<void>
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly settlers: readonly { readonly chain: EvmChain; readonly addresses: readonly string[] }[]
  /** Every chain that an attested order may name, of any family. */
  readonly chainIds: readonly ChainId[]
  readonly store: Pick<Store, 'findCursor' | 'saveChainEvents' | 'findChainEvents'>
  readonly now: () => Instant
  readonly log: Log
}

const OPENINGS: ReadonlySet<string> = new Set([SETTLER_TOPICS.open, SETTLER_TOPICS.attestedOpen])
const CACHED_ORDERS = 20_000
/** How often the cursor of an idle chain is saved. */
const SAVE_CURSOR_MS = 10_000

type ReadRecord = (
  chainId: ChainId,
  found: Omit<WatchedLog, 'address'>,
  final: boolean,
) => SettlerEventRecord | undefined

const recordReader =
  (chains: NamedChains): ReadRecord =>
  (chainId, found, final) => {
    const event = readSettlerEvent(found, chains)
    if (event === undefined) return undefined
    const { txHash, position, blockNumber, timestampSeconds } = found
    return { chainId, txHash, position, blockNumber, timestampSeconds, final, event }
  }

const recordsReader =
  (readRecord: ReadRecord, log: Log) =>
  (chainId: ChainId, { kind, logs }: LogProgress): readonly SettlerEventRecord[] =>
    logs.flatMap((found) => {
      const record = readRecord(chainId, found, kind === 'final')
      if (record !== undefined) return [record]
      // Anybody may open an order to a chain that is not served, or to a name that is no chain's; it is ignored.
      if (!OPENINGS.has(found.topics[0] ?? ''))
        log('error', 'settler_event_unreadable', { chainId, txHash: found.txHash })
      return []
    })

const keyOf = ({ chainId, txHash, position }: SettlerEventRecord): string =>
  `${chainId} ${txHash} ${position}`

/** The records that are not final, by order. */
const createTentative = () => {
  const byOrder = new Map<OrderId, ReadonlyMap<string, SettlerEventRecord>>()
  return {
    of: (orderId: OrderId): readonly SettlerEventRecord[] => [...(byOrder.get(orderId)?.values() ?? [])],
    add: (record: SettlerEventRecord): void => {
      const { orderId } = record.event
      byOrder.set(orderId, new Map(byOrder.get(orderId)).set(keyOf(record), record))
    },
    remove: (record: SettlerEventRecord): void => {
      const { orderId } = record.event
      const others = new Map(byOrder.get(orderId))
      others.delete(keyOf(record))
      if (others.size === 0) byOrder.delete(orderId)
      else byOrder.set(orderId, others)
    },
  }
}

/** The stored records of orders, cached until another event of the order is stored. */
const createStored = ({ store }: Pick<Deps, 'store'>, readRecord: ReadRecord) => {
  const known = createLru<OrderId, Promise<readonly SettlerEventRecord[]> | undefined>(CACHED_ORDERS)
  const read = async (orderId: OrderId): Promise<readonly SettlerEventRecord[]> => {
    try {
      return (await store.findChainEvents(orderId)).flatMap(
        (event) => readRecord(event.chainId, event, true) ?? [],
      )
    } catch (error) {
      known.set(orderId, undefined)
      throw error
    }
  }
  return {
    of: (orderId: OrderId): Promise<readonly SettlerEventRecord[]> => {
      const reading = known.get(orderId) ?? read(orderId)
      known.set(orderId, reading)
      return reading
    },
    forget: (orderId: OrderId): void => known.set(orderId, undefined),
  }
}

/** Notifies the listeners of records, one after the other. */
const createNotifier = (log: Log) => {
  const events = createEmitter<SettlerEventRecord>((error, { event }) =>
    log('error', 'listener_failed', { listener: 'settler_events', orderId: event.orderId, error }),
  )
  const notify = async (records: readonly SettlerEventRecord[]): Promise<void> => {
    for (const record of records) await events.emitInTurn(record)
  }
  return { notify, onEvent: events.on }
}

/**
 * Saves events with the cursor before them: the cursor passes them only after their listeners have been notified, so
 * that after a crash they are notified again.
 */
const createSaver = ({ store, now }: Deps, chainId: ChainId, from: LogCursor | undefined) => {
  let notifiedUpTo = from
  let savedAt = Number.NEGATIVE_INFINITY
  return {
    save: async (cursor: LogCursor, events: readonly ChainEvent[]): Promise<void> => {
      if (events.length === 0 && now() - savedAt < SAVE_CURSOR_MS) return
      await store.saveChainEvents(chainId, notifiedUpTo ?? cursor, events)
      savedAt = now()
    },
    passed: (cursor: LogCursor): void => {
      notifiedUpTo = cursor
    },
  }
}

/** Reads the settlers of all chains; stores final events and keeps the others in memory. */
export const createOrderEventIndex = (deps: Deps): OrderEventIndex => {
  const { settlers, store, now, log } = deps
  const readRecord = recordReader(nameChains(deps.chainIds))
  const recordsOf = recordsReader(readRecord, log)
  const tentative = createTentative()
  const stored = createStored(deps, readRecord)
  const { notify, onEvent } = createNotifier(log)
  const watchers = new Map<ChainId, LogWatcher>()

  const watch = async (chain: EvmChain, addresses: readonly string[]): Promise<LogWatcher> => {
    const { chainId } = chain
    const from = await store.findCursor(chainId)
    const saver = createSaver(deps, chainId, from)
    const onProgress = async (progress: LogProgress): Promise<void> => {
      const records = recordsOf(chainId, progress)
      if (progress.kind === 'final') {
        await saver.save(progress.cursor, chainEvents(records, progress.logs))
        // Invalidate the cache before dropping tentative records, so that concurrent readers find them in one place or
        // the other.
        for (const { event } of records) stored.forget(event.orderId)
        records.forEach(tentative.remove)
        await notify(records)
        saver.passed(progress.cursor)
      } else if (progress.kind === 'seen') {
        records.forEach(tentative.add)
        await notify(records)
      } else records.forEach(tentative.remove)
    }
    const topics0 = Object.values(SETTLER_TOPICS)
    return createLogWatcher({ chain, addresses, topics0, from, now, log, onProgress })
  }

  const isCurrent = (chainId: ChainId): boolean => watchers.get(chainId)?.isCurrent() === true

  const lastKnown: OrderEventIndex['lastKnown'] = async ({ orderId, originChain, destinationChain }) => {
    const unsettled = tentative.of(orderId)
    const records = [...(await stored.of(orderId)), ...unsettled]
    return groupOrderEvents(records, originChain, destinationChain)
  }

  return {
    lastKnown,
    getOrderEvents: async (order) => {
      const side = await lastKnown(order)
      const { originChain, destinationChain } = order
      const unread = [originChain, destinationChain].find(
        (chainId) => chainTypeOf(chainId) === 'evm' && !isCurrent(chainId),
      )
      if (unread !== undefined && !isOver(side))
        throw new RpcError('NODE_BEHIND', `${unread} was not read up to its head`)
      return side
    },
    finalBlock: (chainId) => watchers.get(chainId)?.finalBlock(),
    isCurrent,
    historyFault: (chainId) => watchers.get(chainId)?.historyFault(),
    onEvent,
    start: async () => {
      for (const { chain, addresses } of settlers) watchers.set(chain.chainId, await watch(chain, addresses))
      await Promise.all([...watchers.values()].map((watcher) => watcher.start()))
    },
    stop: async () => {
      await Promise.all([...watchers.values()].map((watcher) => watcher.stop()))
    },
  }
}

/** The logs of order events, in the form they are stored. */
const chainEvents = (
  records: readonly SettlerEventRecord[],
  logs: readonly WatchedLog[],
): readonly ChainEvent[] => {
  const found = new Map(logs.map((log) => [`${log.txHash} ${log.position}`, log]))
  return records.flatMap(({ chainId, txHash, position, event }) => {
    const log = found.get(`${txHash} ${position}`)
    if (log === undefined) return []
    const { blockNumber, blockHash, timestampSeconds, topics, data } = log
    const { orderId } = event
    return [{ orderId, chainId, txHash, position, blockNumber, blockHash, timestampSeconds, topics, data }]
  })
}

/** Whether no further event can change the order's outcome. */
const isOver = ({ open, filled, refunded }: OrderEvents): boolean =>
  open?.final === true && (filled?.final === true || refunded?.final === true)
