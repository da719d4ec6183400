import type { ChainId, RelayStage } from '@openrfq/sdk'
import type { Backend, Lookup, ProgramRefundCall } from '../backends/backend.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Transfer } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import type { RepeatableSender } from '../transactions/repeatable-sender.ts'
import type { TransactionOutbox } from '../transactions/transaction-outbox.ts'

/** Submits the refund of a transfer if one is due; never rejects, because the next round retries. */
export type Keeper = (quote: QuoteRecord, transfer: Transfer) => Promise<void>

type KeeperDeps = {
  readonly backends: ReadonlyMap<string, Backend>
  /** The keeper's outboxes by chain; without one, refunds are left to others. */
  readonly outboxes: ReadonlyMap<ChainId, Pick<TransactionOutbox, 'submit'>>
  /** The keeper's accounts on chains with programs; likewise. */
  readonly senders: ReadonlyMap<ChainId, RepeatableSender>
  readonly log: Log
}

/** Sends a program's refund, again until its effect is seen. */
const sendRefund = async (
  { senders, log }: KeeperDeps,
  quoteId: string,
  { key, chainId, unitLimit, instructionsBy }: ProgramRefundCall,
): Promise<void> => {
  const sender = senders.get(chainId)
  if (sender === undefined) return
  const isNew = !sender.isInFlight(key)
  const sent = await sender.send({ key, unitLimit, instructions: instructionsBy(sender.account) })
  if (isNew && sent.kind === 'sent')
    log('info', 'refund_submitted', { quoteId, key, chainId, txHash: sent.txHash })
}

const submitRefund = async (deps: KeeperDeps, quote: QuoteRecord, lookup: Lookup): Promise<void> => {
  const call = await deps.backends.get(quote.backend)?.refundCall?.(quote, lookup)
  if (call === undefined) return
  if ('instructionsBy' in call) return sendRefund(deps, quote.quoteId, call)
  const outbox = deps.outboxes.get(call.chainId)
  if (outbox === undefined) return
  const { key, txHash } = await outbox.submit({ ...call, value: call.value ?? 0n })
  deps.log('info', 'refund_submitted', { quoteId: quote.quoteId, key, chainId: call.chainId, txHash })
}

/** The stage of a message whose execution fails. */
const FAILING: RelayStage = 'execution_error'

/**
 * Creates a keeper that submits each due refund once, through its chain's outbox. Also checks transfers in
 * REFUND_INITIATED, because a reverted refund is due again, those whose delivery the chain took back, and those whose delivery
 * fails, which only a call ends.
 */
export const createKeeper =
  (deps: KeeperDeps): Keeper =>
  async (quote, { state, messageId, details }) => {
    const isDue = state === 'REFUND_PENDING' || state === 'REFUND_INITIATED'
    const isFailing = state === 'PENDING' && details['stage'] === FAILING
    if (!isDue && !isFailing && details['deliveryReverted'] !== true) return
    try {
      await submitRefund(deps, quote, messageId === '' ? null : { messageId, sourceChain: quote.fromChain })
    } catch (error) {
      deps.log('warn', 'refund_submit_failed', { quoteId: quote.quoteId, error })
    }
  }
