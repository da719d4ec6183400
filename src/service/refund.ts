import type { Backend, RefundCall } from '../backends/backend.ts'
import type { BackendType } from '../core/backend-type.ts'
import type { ChainId } from '../core/chain.ts'
import type { Log } from '../core/log.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Transfer } from '../core/transfer.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Store } from '../store/store.ts'

/** Submits the refund of a transfer when one is due; never rejects, as the next round tries again. */
export type Keeper = (quote: QuoteRecord, transfer: Transfer) => Promise<void>

type KeeperDeps = {
  readonly backends: ReadonlyMap<BackendType, Backend>
  /** The keeper's account by chain; where there is none, refunds are left to anybody else. */
  readonly outboxes: ReadonlyMap<ChainId, Pick<Outbox, 'submit'>>
  readonly store: Pick<Store, 'findOutboxEntry'>
  readonly log: Log
}

/** A refund that fails for good this often needs a person. */
const MAXIMUM_ATTEMPTS = 5

/**
 * The key under which the refund may be signed now, or undefined while an attempt is open or succeeded. Another attempt
 * follows only one that is known for good to have paid nothing.
 */
const freeKey = async ({ store, log }: KeeperDeps, { key }: RefundCall): Promise<string | undefined> => {
  for (let attempt = 1; attempt <= MAXIMUM_ATTEMPTS; attempt += 1) {
    const name = attempt === 1 ? key : `${key}#${attempt}`
    const entry = await store.findOutboxEntry(name)
    if (entry === undefined) return name
    if (entry.outcome === 'open' || entry.outcome === 'succeeded') return undefined
  }
  log('error', 'refund fails again and again', { key, attempts: MAXIMUM_ATTEMPTS })
  return undefined
}

const submitRefund = async (deps: KeeperDeps, call: RefundCall): Promise<void> => {
  const outbox = deps.outboxes.get(call.chainId)
  if (outbox === undefined) return
  const key = await freeKey(deps, call)
  if (key === undefined) return
  const { txHash, nonce } = await outbox.submit({ ...call, key, value: 0n })
  deps.log('info', 'refund submitted', { key, chainId: call.chainId, txHash, nonce })
}

/** A keeper that submits each due refund once, through the outbox of its chain. */
export const createKeeper =
  (deps: KeeperDeps): Keeper =>
  async (quote, { state }) => {
    if (state !== 'REFUND_PENDING' && state !== 'REFUND_INITIATED') return
    try {
      const call = await deps.backends.get(quote.backend)?.refundCall?.(quote)
      if (call !== undefined) await submitRefund(deps, call)
    } catch (error) {
      deps.log('warn', 'refund not submitted', { quoteId: quote.quoteId, error })
    }
  }
