import type { ChainId } from '@openrfq/sdk'
import type { EvmChain, WatchedLog } from '../../chains/evm/evm-chain.ts'
import type { LogCursor, LogProgress } from '../../chains/evm/log-progress.ts'
import { createLogWatcher, type LogWatcher } from '../../chains/evm/log-watcher.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import type { ChainEvent, Store } from '../../store/store.ts'
import type { NamedChains } from '../settlers/attested-order.ts'
import { readSettlerEvent, SETTLER_TOPICS } from '../settlers/settler-events.ts'
import type { OpenedOrder } from './fill-check.ts'

/** An EVM chain with its AttestedSettler, in EIP-55. */
export type SettlerChain = { readonly evm: EvmChain; readonly settler: string }

/** Orders for one attester, from final blocks only. */
export type OrderReader = {
  /** Undefined for an order that is not opened in any final block read so far. */
  readonly find: (orderId: OrderId) => Promise<OpenedOrder | undefined>
  /** Whether the orders of a chain are read up to its head; true for one whose orders are not read here. */
  readonly isCurrent: (chainId: ChainId) => boolean
  /** Resumes reading at the stored cursor; resolves after the first attempt on every chain. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly chains: readonly SettlerChain[]
  readonly named: NamedChains
  /** In EIP-55. */
  readonly attester: string
  readonly startAfter: Readonly<Record<ChainId, number>>
  readonly store: Pick<Store, 'findCursor' | 'saveChainEvents' | 'findChainEvents'>
  readonly now: () => Instant
  readonly log: Log
}

const CLOSING = ['released', 'refunded'] as const
const TOPICS = [SETTLER_TOPICS.attestedOpen, SETTLER_TOPICS.released, SETTLER_TOPICS.refunded]
/** How often the cursor of an idle chain is saved. */
const SAVE_CURSOR_MS = 10_000

/** The events to store: orders opened for this attester, and every event that ends an order. */
const eventsOf = ({ named, attester }: Deps, chainId: ChainId, logs: readonly WatchedLog[]) =>
  logs.flatMap((found): readonly ChainEvent[] => {
    const event = readSettlerEvent(found, named)
    if (event === undefined || (event.kind === 'open' && event.order.attester !== attester)) return []
    const { txHash, position, blockNumber, blockHash, timestampSeconds, topics, data } = found
    const { orderId } = event
    return [{ orderId, chainId, txHash, position, blockNumber, blockHash, timestampSeconds, topics, data }]
  })

const startOf = async ({ store, startAfter }: Deps, chainId: ChainId): Promise<LogCursor | undefined> => {
  const first = startAfter[chainId]
  const given = first === undefined ? undefined : { blockNumber: BigInt(first), blockHash: '' }
  return (await store.findCursor(chainId)) ?? given
}

const watch = async (deps: Deps, { evm, settler }: SettlerChain): Promise<LogWatcher> => {
  const { store, now, log } = deps
  const { chainId } = evm
  let savedAt = Number.NEGATIVE_INFINITY
  const onProgress = async (progress: LogProgress): Promise<void> => {
    if (progress.kind !== 'final') return
    const events = eventsOf(deps, chainId, progress.logs)
    if (events.length === 0 && now() - savedAt < SAVE_CURSOR_MS) return
    await store.saveChainEvents(chainId, progress.cursor, events)
    savedAt = now()
  }
  const from = await startOf(deps, chainId)
  return createLogWatcher({ chain: evm, addresses: [settler], topics0: TOPICS, from, now, log, onProgress })
}

/** Reads the settlers of all chains; stores and reports final events only. */
export const createOrderReader = (deps: Deps): OrderReader => {
  const { chains, named, attester, store } = deps
  const settlers = new Map(chains.map(({ evm, settler }) => [evm.chainId, settler]))
  let watchers: ReadonlyMap<ChainId, LogWatcher> = new Map()
  return {
    isCurrent: (chainId) => !settlers.has(chainId) || watchers.get(chainId)?.isCurrent() === true,
    find: async (orderId) => {
      const events = (await store.findChainEvents(orderId)).flatMap((stored) => {
        const event = readSettlerEvent(stored, named)
        return event === undefined ? [] : [{ chainId: stored.chainId, event }]
      })
      for (const { chainId, event } of events) {
        if (event.kind !== 'open') continue
        const { order } = event
        const isOwn = order.attester === attester && order.originSettler === settlers.get(chainId)
        if (!isOwn || order.originChain !== chainId) continue
        const isClosed = events.some(
          (other) => other.chainId === chainId && CLOSING.some((kind) => kind === other.event.kind),
        )
        return { orderId, order, isOpen: !isClosed }
      }
      return undefined
    },
    start: async () => {
      watchers = new Map(
        await Promise.all(
          chains.map(async (chain) => [chain.evm.chainId, await watch(deps, chain)] as const),
        ),
      )
      await Promise.all([...watchers.values()].map((watcher) => watcher.start()))
    },
    stop: async () => {
      await Promise.all([...watchers.values()].map((watcher) => watcher.stop()))
    },
  }
}
