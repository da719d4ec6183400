import type { Instant } from '../../core/instant.ts'
import { backoffMs } from '../../lib/backoff.ts'
import type { Log } from '../../lib/log.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { whyNoFill } from './fill-check.ts'
import type { OrderReader } from './order-reader.ts'
import type { PaymentWatch, PendingPayment } from './payment-watch.ts'
import type { Progress, Releaser } from './releaser.ts'

type Deps = {
  readonly orders: Pick<OrderReader, 'find' | 'readUpToSeconds'>
  readonly watches: readonly Pick<PaymentWatch, 'pending' | 'settle'>[]
  readonly release: Releaser
  readonly now: () => Instant
  readonly log: Log
}

/** A payment whose order is still not open in a final block after this time belongs to no order of this attester. */
const UNKNOWN_ORDER_SECONDS = 3_600
const AT_ONCE = 8
const RETRY = { firstMs: 250, maximumMs: 2_000 }

type Turn = { readonly at: Instant; readonly failures: number }

/** Decides what to do about a payment now. */
const consider = async (deps: Deps, { orderId, payment }: PendingPayment): Promise<Progress> => {
  const { orders, release, log } = deps
  const readUpTo = orders.readUpToSeconds()
  const known = await orders.find(orderId)
  const fields = { chainId: payment.chainId, orderId, txHash: payment.txHash }
  if (known === undefined) {
    if (readUpTo === undefined || readUpTo < payment.timestampSeconds + UNKNOWN_ORDER_SECONDS)
      return 'waiting'
    log('info', 'payment_without_order', fields)
    return 'settled'
  }
  if (!known.isOpen) return 'settled'
  const reason = whyNoFill(known, payment)
  if (reason === undefined) return release(known, payment)
  log('warn', 'payment_not_a_fill', { ...fields, reason })
  return 'settled'
}

/**
 * Processes all pending payments in rounds. A payment without progress is retried with exponential back-off; an error
 * with one payment does not delay the others.
 */
export const createAttestationQueue = (deps: Deps): { readonly round: () => Promise<void> } => {
  const { watches, now, log } = deps
  const turns = new Map<string, Turn>()

  const handle = async (watch: Deps['watches'][number], pending: PendingPayment): Promise<void> => {
    const { orderId, payment } = pending
    const key = `${payment.chainId} ${payment.txHash} ${payment.position}`
    const turn = turns.get(key)
    if (turn !== undefined && now() < turn.at) return
    const progress = await consider(deps, pending).catch((error: unknown): Progress => {
      if (turn === undefined || backoffMs(RETRY, turn.failures) < RETRY.maximumMs)
        log('warn', 'payment_check_failed', { chainId: payment.chainId, orderId, error })
      return 'waiting'
    })
    if (progress === 'settled') {
      turns.delete(key)
      return watch.settle(pending)
    }
    const failures = (turn?.failures ?? 0) + 1
    turns.set(key, { at: now() + backoffMs(RETRY, failures), failures })
  }

  return {
    round: async () => {
      const work = watches.flatMap((watch) => watch.pending().map((pending) => ({ watch, pending })))
      await mapAtMost(AT_ONCE, work, ({ watch, pending }) => handle(watch, pending))
    },
  }
}
