import type { ChainId } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import { unpriced } from '../backends/decline.ts'
import type { HistoryFault } from '../chains/rpc/history-fault.ts'
import type { AssetPair } from '../core/order.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import type { ClockFault } from './clock-comparison.ts'

/**
 * Why a chain is not read to its head. `no_answer`: no endpoint told its head for five seconds; `ahead_of_clock`: its
 * blocks are ahead of our clock; `not_indexed`: the payments or orders on it are not read to the head.
 */
export type ChainFault = 'no_answer' | 'ahead_of_clock' | 'not_indexed' | HistoryFault

/** Whether chains are read to their heads and the clock is right. */
export type ChainHealth = Lifecycle & {
  /** What `/readyz` names: chains that are not read to their heads, and `clock`. */
  readonly missing: () => readonly string[]
  /** Whether something can be quoted from or to at least one chain. */
  readonly isAnyReadable: () => boolean
  /** The backend, declining all orders while the clock is wrong or a chain of the order cannot be quoted. */
  readonly guard: (backend: Backend) => Backend
}

type Deps = {
  readonly chainIds: readonly ChainId[]
  readonly faultOf: (chainId: ChainId) => ChainFault | undefined
  readonly clockFault: () => ClockFault | undefined
  readonly log: Log
}

const LOOK_MS = 500

/** Quotes that need no orders or payments of ours do not wait for their index. */
const forbidsQuotes = (fault: ChainFault | undefined): boolean =>
  fault !== undefined && fault !== 'not_indexed'

/** Creates the health of all chains; from its start on it looks twice a second, and logs what begins and ends. */
export const createChainHealth = ({ chainIds, faultOf, clockFault, log }: Deps): ChainHealth => {
  const faults = new Map<ChainId, ChainFault>()
  let wrongClock: ClockFault | undefined

  const lookAtChain = (chainId: ChainId): void => {
    const [fault, before] = [faultOf(chainId), faults.get(chainId)]
    if (fault === before) return
    if (fault === undefined) {
      faults.delete(chainId)
      log('info', 'chain_readable', { chainId })
      return
    }
    faults.set(chainId, fault)
    log('warn', 'chain_unreadable', { chainId, fault })
  }
  const lookAtClock = (): void => {
    const before = wrongClock
    wrongClock = clockFault()
    if (wrongClock === before) return
    if (wrongClock === undefined) log('info', 'clock_agrees_with_chains')
    else log('error', 'clock_differs_from_chains', { fault: wrongClock })
  }
  const poller = createPoller({
    name: 'chain_health',
    periodMs: LOOK_MS,
    run: async () => {
      chainIds.forEach(lookAtChain)
      lookAtClock()
    },
    log,
  })

  const whyNotQuoted = ({ from, to }: AssetPair): string | undefined => {
    if (wrongClock !== undefined) return "the service's clock differs from the chains'"
    const unread = [from.chain.chainId, to.chain.chainId].find((chainId) =>
      forbidsQuotes(faults.get(chainId)),
    )
    return unread === undefined ? undefined : `${unread} cannot be read: ${faults.get(unread)}`
  }
  return {
    start: poller.start,
    stop: poller.stop,
    missing: () => [...faults.keys(), ...(wrongClock === undefined ? [] : ['clock'])],
    isAnyReadable: () => wrongClock === undefined && faults.size < chainIds.length,
    guard: (backend) => ({
      ...backend,
      quote: (order, route) => {
        const reason = whyNotQuoted(order)
        return reason === undefined ? backend.quote(order, route) : Promise.resolve(unpriced(reason))
      },
    }),
  }
}
