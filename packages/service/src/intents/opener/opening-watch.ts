import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { OrderId } from '../../core/intent-order.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Store, StoredTransaction } from '../../store/store.ts'
import { readStatus, statusCall } from '../settlers/order-status.ts'
import type { SenderLimits } from './sender-limits.ts'
import { wasOpened } from './was-opened.ts'

/** An opening that was signed, or may have been. */
type WatchedOpening = {
  readonly key: string
  readonly chainId: ChainId
  readonly settler: string
  readonly orderId: OrderId
  /** The depositor in lower case, whose turn the opening has. */
  readonly sender: string
}

/** Follows openings until they are final. */
export type OpeningWatch = Lifecycle & {
  readonly follow: (opening: WatchedOpening) => void
  readonly follows: (key: string) => boolean
}

/** Where orders are opened on a chain, and by whom. */
type WatchedChain = {
  readonly evm: Pick<EvmChain, 'head' | 'callAgreed'>
  readonly settler: string
  readonly outbox: { readonly sender: string }
}

type Deps = {
  readonly chains: ReadonlyMap<ChainId, WatchedChain>
  readonly store: Pick<Store, 'findTransaction' | 'listOpenTransactions'>
  readonly limits: SenderLimits
  readonly log: Log
}

const ROUND_MS = 1_000
const KEY = /^open:(0x[0-9a-f]{40}):(0x[0-9a-f]{64})$/

/** The permanent key of an order's opening; it names the depositor, whose turn it has again after a restart. */
export const openingKey = (sender: string, orderId: OrderId): string => `open:${sender}:${orderId}`

/** How an opening ended: its order was opened by it or by a stranger who sent the same call first, or was not. */
type OpeningEnd = 'succeeded' | 'outrun' | 'reverted' | 'replaced'

/** How an opening ended whose transaction has; one that was not signed has no end. */
const endOf = async (
  { chains, log }: Pick<Deps, 'chains' | 'log'>,
  { chainId, settler, orderId }: WatchedOpening,
  outcome: Exclude<StoredTransaction['outcome'], 'open'> | undefined,
): Promise<OpeningEnd | 'unreadable' | undefined> => {
  const chain = chains.get(chainId)
  if (chain === undefined || outcome === undefined || outcome === 'succeeded') return outcome
  try {
    return (await wasOpened(chain.evm, settler, orderId)) ? 'outrun' : outcome
  } catch (error) {
    log('warn', 'order_read_failed', { chainId, orderId, error })
    return 'unreadable'
  }
}

/** Works for every chain, so that one that cannot be read delays no other; then rejects with its failure. */
const inParallel = async (
  chainIds: readonly ChainId[],
  work: (chainId: ChainId) => Promise<void>,
): Promise<void> => {
  for (const end of await Promise.allSettled(chainIds.map(work)))
    if (end.status === 'rejected') throw end.reason
}

/**
 * Creates the watch. A sender gets its turn back when a quorum sees the order open, or the transaction has ended; a failure
 * counts when it is final, and not when the order was opened by another transaction.
 */
export const createOpeningWatch = ({ chains, store, limits, log }: Deps): OpeningWatch => {
  const followed = new Map<string, WatchedOpening & { readonly hasTurn: boolean }>()

  const follow = (opening: WatchedOpening): void => {
    followed.set(opening.key, { ...opening, hasTurn: true })
  }

  const end = (opening: WatchedOpening, outcome: OpeningEnd | undefined): void => {
    const { key, chainId, sender } = opening
    if (followed.get(key)?.hasTurn === true) limits.release(sender)
    followed.delete(key)
    if (outcome === undefined) return
    const isOpened = outcome === 'succeeded' || outcome === 'outrun'
    const pausedMs = limits.ended(sender, isOpened ? 'succeeded' : 'failed')
    if (outcome === 'outrun') log('info', 'opening_outrun', { chainId, key, sender })
    if (!isOpened) log('warn', 'opening_failed', { chainId, key, sender, outcome, pausedMs })
  }

  /** Gives turns back for orders that are open already in a block that is not final. */
  const releaseOpened = async (chainId: ChainId, open: readonly WatchedOpening[]): Promise<void> => {
    const chain = chains.get(chainId)
    if (chain === undefined || open.length === 0) return
    const calls = open.map(({ orderId, settler }) => statusCall({ settler }, orderId))
    const results = await chain.evm.callAgreed(calls, {})
    for (const [index, opening] of open.entries()) {
      const status = readStatus('intent', results[index])
      if (status === undefined || status === 'none') continue
      if (followed.get(opening.key)?.hasTurn === true) limits.release(opening.sender)
      followed.set(opening.key, { ...opening, hasTurn: false })
    }
  }

  const round = async (): Promise<void> => {
    const waiting: WatchedOpening[] = []
    for (const opening of followed.values()) {
      const entry = await store.findTransaction(opening.key)
      if (entry?.outcome === 'open') {
        if (opening.hasTurn) waiting.push(opening)
        continue
      }
      const ended = await endOf({ chains, log }, opening, entry?.outcome)
      if (ended !== 'unreadable') end(opening, ended)
    }
    await inParallel([...chains.keys()], (chainId) =>
      releaseOpened(
        chainId,
        waiting.filter((opening) => opening.chainId === chainId),
      ),
    )
  }

  const restore = async (): Promise<void> => {
    for (const [chainId, { outbox, settler }] of chains)
      for (const { key } of await store.listOpenTransactions(chainId, outbox.sender)) {
        const [, sender, id] = KEY.exec(key) ?? []
        if (sender === undefined || id === undefined) continue
        limits.take(sender)
        follow({ key, chainId, settler, orderId: OrderId.parse(id), sender })
      }
  }

  const rounds = createPoller({ name: 'opening_round', periodMs: ROUND_MS, run: round, log })
  return {
    follow,
    follows: (key) => followed.has(key),
    start: async () => {
      await restore()
      await rounds.start()
    },
    stop: rounds.stop,
  }
}
