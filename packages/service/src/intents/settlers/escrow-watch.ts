import type { PaymentChain, PaymentChainHead } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createRotation, type Rotation } from '../../lib/rotation.ts'
import type { EscrowReader } from './escrow-reader.ts'

/**
 * A change of a followed order: `seen`: one endpoint shows it open; `open`: a quorum does in a final block; `released` and
 * `refunded`: its escrow was paid out for good; `closed`: its account is gone for good.
 */
export type EscrowChange = 'seen' | 'open' | 'released' | 'refunded' | 'closed'

/** An order that may be opened or is open. */
export type FollowedOrder = { readonly orderId: OrderId; readonly order: IntentOrder }

/** Follows orders of one deployment of the escrow program. */
export type EscrowWatch = {
  /**
   * Follows an order until it has ended or can never open. `isBacked`: its depositor holds the input; other orders take no
   * turns from those. Beyond the limit, the oldest unopened order is dropped.
   */
  readonly follow: (followed: FollowedOrder, isBacked: boolean) => void
  /** Reads the orders whose turn it is. Rejects if the chain cannot be read, or a listener fails, which is called again. */
  readonly round: () => Promise<void>
  /** Whether a round was completed a moment ago, which quotes require. */
  readonly isCurrent: () => boolean
}

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId' | 'head'>
  readonly reader: Pick<EscrowReader, 'seen' | 'agreed'>
  readonly onChange: (followed: FollowedOrder, change: EscrowChange) => Promise<void>
  readonly now: () => Instant
}

/** Orders of one kind that are read in a round, two calls an endpoint. */
const TURN = 200
/** Limit of unopened orders of one kind; each has its turn within a minute of rounds. */
const MOST_AWAITED = 10_000
/** Every opened order holds a deposit and rent. */
const MOST_OPENED = 100_000
const CURRENT_MS = 15_000
/** Slots by which sound endpoints differ. */
const LAG_SLOTS = 16n
/** An account that is missing this long after `openDeadline`, by the chain's clock, never opens. */
const MARGIN_SECONDS = 30

type Orders = Rotation<OrderId, IntentOrder>
type Entry = readonly [OrderId, IntentOrder]

/** Creates the watch; the caller restores what it follows after a restart. */
export const createEscrowWatch = ({ chain, reader, onChange, now }: Deps): EscrowWatch => {
  const backed: Orders = createRotation()
  const others: Orders = createRotation()
  const seen: Orders = createRotation()
  const open: Orders = createRotation()
  let readAt = Number.NEGATIVE_INFINITY

  const forget = (orderId: OrderId): void => {
    for (const orders of [backed, others, seen, open]) orders.delete(orderId)
  }

  /** The listener is told before the change is kept, so that a failed one is told again. */
  const move = async ([orderId, order]: Entry, change: EscrowChange): Promise<void> => {
    await onChange({ orderId, order }, change)
    forget(orderId)
    if (change === 'seen' || change === 'open') (change === 'seen' ? seen : open).add(orderId, order)
  }

  /** Looks for opened orders; returns those that one endpoint reports as not opened in time. */
  const look = async ({ finalTimestampSeconds }: PaymentChainHead): Promise<readonly Entry[]> => {
    const awaited = [...backed.take(TURN), ...others.take(TURN)]
    if (awaited.length === 0) return []
    const found = await reader.seen(awaited.map(([orderId]) => orderId))
    const missing: Entry[] = []
    for (const entry of awaited) {
      const [orderId, { openDeadline }] = entry
      if (found.has(orderId) && seen.size() < MOST_OPENED) await move(entry, 'seen')
      else if (openDeadline + MARGIN_SECONDS < finalTimestampSeconds) missing.push(entry)
    }
    return missing
  }

  const confirm = async (
    { finalNumber, finalTimestampSeconds }: PaymentChainHead,
    missing: readonly Entry[],
  ) => {
    const entries = [...seen.take(TURN), ...open.take(TURN), ...missing]
    if (entries.length === 0) return
    const after = finalNumber > LAG_SLOTS ? finalNumber - LAG_SLOTS : 0n
    const states = await reader.agreed(
      entries.map(([orderId]) => orderId),
      after,
    )
    for (const entry of entries) {
      const [orderId, { openDeadline }] = entry
      const status = states.get(orderId)?.status
      const isOver = openDeadline + MARGIN_SECONDS < finalTimestampSeconds
      if (status === 'released' || status === 'refunded') await move(entry, status)
      else if (status === 'open' && !open.has(orderId)) await move(entry, 'open')
      else if (status === 'missing' && isOver) {
        if (seen.has(orderId) || open.has(orderId)) await move(entry, 'closed')
        else forget(orderId)
      }
    }
  }

  return {
    follow: ({ orderId, order }, isBacked) => {
      if (seen.has(orderId) || open.has(orderId)) return
      const orders = isBacked ? backed : others
      if (orders.size() >= MOST_AWAITED) orders.removeOldest()
      orders.add(orderId, order)
    },
    round: async () => {
      const head = chain.head()
      if (head === undefined) throw new RpcError('NO_HEAD', `the head of ${chain.chainId} is not known`)
      await confirm(head, await look(head))
      readAt = now()
    },
    isCurrent: () => now() - readAt <= CURRENT_MS,
  }
}
