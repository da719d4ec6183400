import { boundedMap } from '../chains/bounded-map.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { LogCursor, LogProgress, WatchedLog } from '../chains/evm/log-progress.ts'
import { createLogWatcher, type LogWatcher } from '../chains/evm/log-watcher.ts'
import type { ChainId } from '../core/chain.ts'
import type { Instant } from '../core/instant.ts'
import type { OrderId } from '../core/intent-order.ts'
import type { Log } from '../core/log.ts'
import type { ChainEvent, Store } from '../store/store.ts'
import { type NamedChains, nameChains } from './attested-order.ts'
import { type OrderSide, type Sighting, sideOf } from './order-side.ts'
import { isOrderChain } from './order-words.ts'
import { readSettlerEvent, SETTLER_TOPICS } from './settler-contract.ts'

/** An order by its id and its two chains. */
type OrderPlace = {
  readonly orderId: OrderId
  readonly originChain: ChainId
  readonly destinationChain: ChainId
}

/** Is told of every event when it is first seen, and when it is final; of final ones again after a restart. */
type SightingListener = (sighting: Sighting) => Promise<void> | void

/** What all settlers say about orders. */
export type OrderFacts = {
  /**
   * The events of an order: final ones from the store, others as the chains stand now. Rejects when an EVM chain was not
   * read up to its head a moment ago and could still tell something else; ledgers have no settlers and no events here.
   */
  readonly factsOf: (order: OrderPlace) => Promise<OrderSide>
  /** What is known of an order whether or not the chains can be read now. */
  readonly lastKnown: (order: OrderPlace) => Promise<OrderSide>
  /**
   * The newest final block of a chain up to which every event is known, or undefined before the first. Facts that are
   * asked for after it hold all events up to it.
   */
  readonly finalBlock: (
    chainId: ChainId,
  ) => { readonly number: bigint; readonly timestampSeconds: number } | undefined
  /** Returns the unsubscriber. What a listener throws is logged. */
  readonly onEvent: (listener: SightingListener) => () => void
  /** Starts reading where it ended before; resolves after the first attempt on every chain. */
  readonly start: () => Promise<void>
  /** Resolves when nothing runs any more. */
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

const CACHED_ORDERS = 20_000
/** How often the cursor of a chain is saved on which nothing happens. */
const SAVE_CURSOR_MS = 10_000

type ReadSighting = (
  chainId: ChainId,
  found: Omit<WatchedLog, 'address'>,
  final: boolean,
) => Sighting | undefined

const sightingReader =
  (chains: NamedChains): ReadSighting =>
  (chainId, found, final) => {
    const event = readSettlerEvent(found, chains)
    if (event === undefined) return undefined
    const { txHash, position, blockNumber, timestampSeconds } = found
    return { chainId, txHash, position, blockNumber, timestampSeconds, final, event }
  }

const keyOf = ({ chainId, txHash, position }: Sighting): string => `${chainId} ${txHash} ${position}`

/** The sightings that are not final, by order. */
const createTentative = () => {
  const byOrder = new Map<OrderId, ReadonlyMap<string, Sighting>>()
  return {
    of: (orderId: OrderId): readonly Sighting[] => [...(byOrder.get(orderId)?.values() ?? [])],
    add: (sighting: Sighting): void => {
      const { orderId } = sighting.event
      byOrder.set(orderId, new Map(byOrder.get(orderId)).set(keyOf(sighting), sighting))
    },
    remove: (sighting: Sighting): void => {
      const { orderId } = sighting.event
      const others = new Map(byOrder.get(orderId))
      others.delete(keyOf(sighting))
      if (others.size === 0) byOrder.delete(orderId)
      else byOrder.set(orderId, others)
    },
  }
}

/** The stored sightings of orders, read once until another event of the order is stored. */
const createStored = ({ store }: Pick<Deps, 'store'>, readSighting: ReadSighting) => {
  const known = boundedMap<OrderId, Promise<readonly Sighting[]> | undefined>(CACHED_ORDERS)
  const read = async (orderId: OrderId): Promise<readonly Sighting[]> => {
    try {
      return (await store.findChainEvents(orderId)).flatMap(
        (event) => readSighting(event.chainId, event, true) ?? [],
      )
    } catch (error) {
      known.set(orderId, undefined)
      throw error
    }
  }
  return {
    of: (orderId: OrderId): Promise<readonly Sighting[]> => {
      const reading = known.get(orderId) ?? read(orderId)
      known.set(orderId, reading)
      return reading
    },
    forget: (orderId: OrderId): void => known.set(orderId, undefined),
  }
}

/** Tells listeners one after the other; a listener that fails is no reason not to tell the next. */
const createListeners = (log: Log) => {
  const listeners = new Set<SightingListener>()
  const tell = async (sightings: readonly Sighting[]): Promise<void> => {
    for (const sighting of sightings)
      for (const listener of listeners)
        try {
          await listener(sighting)
        } catch (error) {
          log('error', 'listener of an order failed', { orderId: sighting.event.orderId, error })
        }
  }
  const add = (listener: SightingListener) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return { add, tell }
}

/**
 * Saves events with the cursor before them: only when their listeners have been told does the cursor pass them, so that
 * after a crash they are told again.
 */
const createSaver = ({ store, now }: Deps, chainId: ChainId, from: LogCursor | undefined) => {
  let told = from
  let savedAt = Number.NEGATIVE_INFINITY
  return {
    save: async (cursor: LogCursor, events: readonly ChainEvent[]): Promise<void> => {
      if (events.length === 0 && now() - savedAt < SAVE_CURSOR_MS) return
      await store.saveChainEvents(chainId, told ?? cursor, events)
      savedAt = now()
    },
    passed: (cursor: LogCursor): void => {
      told = cursor
    },
  }
}

/** Reads the settlers of all chains, keeps what is final and remembers what is not. */
export const createOrderFacts = (deps: Deps): OrderFacts => {
  const { settlers, store, now, log } = deps
  const readSighting = sightingReader(nameChains(deps.chainIds))
  const tentative = createTentative()
  const stored = createStored(deps, readSighting)
  const listeners = createListeners(log)
  const watchers = new Map<ChainId, LogWatcher>()

  const sightingsOf = (chainId: ChainId, { kind, logs }: LogProgress): readonly Sighting[] =>
    logs.flatMap((found) => {
      const sighting = readSighting(chainId, found, kind === 'final')
      if (sighting !== undefined) return [sighting]
      // Anybody may open an attested order to a chain that is not served; it concerns nobody here.
      if (found.topics[0] !== SETTLER_TOPICS.attestedOpen)
        log('error', 'event of a settler could not be read', { chainId, txHash: found.txHash })
      return []
    })

  const watch = async (chain: EvmChain, addresses: readonly string[]): Promise<LogWatcher> => {
    const { chainId } = chain
    const from = await store.findCursor(chainId)
    const saver = createSaver(deps, chainId, from)
    const onProgress = async (progress: LogProgress): Promise<void> => {
      const sightings = sightingsOf(chainId, progress)
      if (progress.kind === 'final') {
        await saver.save(progress.cursor, chainEvents(sightings, progress.logs))
        // Forgotten before they are dropped, so that whoever asks meanwhile finds them in one place or the other.
        for (const { event } of sightings) stored.forget(event.orderId)
        sightings.forEach(tentative.remove)
        await listeners.tell(sightings)
        saver.passed(progress.cursor)
      } else if (progress.kind === 'seen') {
        sightings.forEach(tentative.add)
        await listeners.tell(sightings)
      } else sightings.forEach(tentative.remove)
    }
    const topics0 = Object.values(SETTLER_TOPICS)
    return createLogWatcher({ chain, addresses, topics0, from, now, log, onProgress })
  }

  const isCurrent = (chainId: ChainId): boolean => watchers.get(chainId)?.isCurrent() === true

  const lastKnown: OrderFacts['lastKnown'] = async ({ orderId, originChain, destinationChain }) => {
    const unsettled = tentative.of(orderId)
    const sightings = [...(await stored.of(orderId)), ...unsettled]
    return sideOf(sightings, originChain, destinationChain)
  }

  return {
    lastKnown,
    factsOf: async (order) => {
      const side = await lastKnown(order)
      const { originChain, destinationChain } = order
      const unread = [originChain, destinationChain].find(
        (chainId) => isOrderChain(chainId) && !isCurrent(chainId),
      )
      if (unread !== undefined && !isOver(side)) throw new Error(`${unread} was not read up to its head`)
      return side
    },
    finalBlock: (chainId) => watchers.get(chainId)?.finalBlock(),
    onEvent: listeners.add,
    start: async () => {
      for (const { chain, addresses } of settlers) watchers.set(chain.chainId, await watch(chain, addresses))
      await Promise.all([...watchers.values()].map((watcher) => watcher.start()))
    },
    stop: async () => {
      await Promise.all([...watchers.values()].map((watcher) => watcher.stop()))
    },
  }
}

/** The logs that say something about an order, as they are stored. */
const chainEvents = (sightings: readonly Sighting[], logs: readonly WatchedLog[]): readonly ChainEvent[] => {
  const found = new Map(logs.map((log) => [`${log.txHash} ${log.position}`, log]))
  return sightings.flatMap(({ chainId, txHash, position, event }) => {
    const log = found.get(`${txHash} ${position}`)
    if (log === undefined) return []
    const { blockNumber, blockHash, timestampSeconds, topics, data } = log
    const { orderId } = event
    return [{ orderId, chainId, txHash, position, blockNumber, blockHash, timestampSeconds, topics, data }]
  })
}

/** Whether nothing that a chain may still say can change what becomes of the order. */
const isOver = ({ open, filled, refunded }: OrderSide): boolean =>
  open?.final === true && (filled?.final === true || refunded?.final === true)
