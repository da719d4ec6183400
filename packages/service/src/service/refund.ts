import type { BackendType, ChainId } from '@openrfq/sdk'
import type { Backend, Lookup } from '../backends/backend.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Transfer } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import type { TransactionOutbox } from '../transactions/transaction-outbox.ts'

/** Submits the refund of a transfer when one is due; never rejects, as the next round tries again. */
export type Keeper = (quote: QuoteRecord, transfer: Transfer) => Promise<void>

type KeeperDeps = {
  readonly backends: ReadonlyMap<BackendType, Backend>
  /** The keeper's account by chain; where there is none, refunds are left to anybody else. */
  readonly outboxes: ReadonlyMap<ChainId, Pick<TransactionOutbox, 'submit'>>
  readonly log: Log
}

const submitRefund = async (deps: KeeperDeps, quote: QuoteRecord, lookup: Lookup): Promise<void> => {
  const call = await deps.backends.get(quote.backend)?.refundCall?.(quote, lookup)
  if (call === undefined) return
  const outbox = deps.outboxes.get(call.chainId)
  if (outbox === undefined) return
  const { key, txHash } = await outbox.submit({ ...call, value: call.value ?? 0n })
  deps.log('info', 'refund submitted', { quoteId: quote.quoteId, key, chainId: call.chainId, txHash })
}

/**
 * A keeper that submits each due refund once, through the outbox of its chain. A transfer in REFUND_INITIATED is asked
 * about as well, because a refund that reverted is due again.
 */
export const createKeeper =
  (deps: KeeperDeps): Keeper =>
  async (quote, { state, messageId }) => {
    if (state !== 'REFUND_PENDING' && state !== 'REFUND_INITIATED') return
    try {
      await submitRefund(deps, quote, messageId === '' ? null : { messageId, sourceChain: quote.fromChain })
    } catch (error) {
      deps.log('warn', 'submitting a refund failed', { quoteId: quote.quoteId, error })
    }
  }
