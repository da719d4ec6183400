import type { RelayStage, TransferSource } from '@openrfq/sdk'
import type { EvmReceipt } from '../chains/evm/evm-chain.ts'
import { toIso } from '../core/instant.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Details, Observation } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import type { SourceDeps } from './source-message.ts'

/** A transfer in flight, and the delivery transaction that Axelar's indexer reports for it. */
export type DeliveryHint = {
  readonly quote: QuoteRecord
  readonly source: TransferSource
  readonly txHash: string
  readonly details: Details
}

/** How much earlier than its source a delivery may be by the clocks of two chains. */
const CHAIN_SKEW_MS = 60_000

/** A transaction on the destination chain. */
type DeliveryTransaction = Pick<EvmReceipt, 'succeeded' | 'final' | 'timestampSeconds'>

/** Verifies a delivery on an EVM chain, as `verifyTransaction` does. */
export const verifyDelivery = (
  { evmChains, log }: SourceDeps,
  hint: DeliveryHint,
  received: (receipt: EvmReceipt) => bigint | undefined,
): Promise<Observation> =>
  verifyTransaction(log, hint, {
    read: async () => evmChains.get(hint.quote.toChain)?.receipt(hint.txHash),
    received,
  })

/** How a delivery is read, and the amount that the recipient got in it (base units); undefined if it is another's. */
type DeliveryReader<Transaction extends DeliveryTransaction> = {
  readonly read: () => Promise<Transaction | undefined>
  readonly received: (transaction: Transaction) => bigint | undefined
}

/**
 * Verifies a delivery on the destination chain: it counts only if the transaction is final, not older than its source, and
 * `received` finds the amount (base units) that the recipient got. Otherwise the transfer stays in flight, with a stage that says what is
 * missing.
 */
export const verifyTransaction = async <Transaction extends DeliveryTransaction>(
  log: Log,
  { quote, source, txHash, details }: DeliveryHint,
  { read, received }: DeliveryReader<Transaction>,
): Promise<Observation> => {
  const inFlight = (stage: RelayStage): Observation => ({
    seen: 'in_flight',
    source,
    details: { ...details, stage },
  })
  let receipt: Transaction | undefined
  try {
    receipt = await read()
  } catch (error) {
    log('warn', 'delivery_read_failed', { quoteId: quote.quoteId, txHash, error })
    return inFlight('destination_unreadable')
  }
  if (receipt === undefined) return inFlight('delivery_not_seen')
  const isOlder = receipt.timestampSeconds * 1000 < Date.parse(source.timestamp) - CHAIN_SKEW_MS
  const amount = receipt.succeeded && !isOlder ? received(receipt) : undefined
  if (amount === undefined) return inFlight('delivery_not_verified')
  if (!receipt.final) return inFlight('delivered_not_final')
  const isShort = amount < quote.minimumOutput
  if (isShort) log('error', 'delivery_below_minimum', { quoteId: quote.quoteId, amount })
  return {
    seen: 'delivered',
    source,
    destination: { chain: quote.toChain, txHash, timestamp: toIso(receipt.timestampSeconds * 1000) },
    output: { chain: quote.toChain, token: quote.toToken, amount: amount.toString() },
    details: { ...details, stage: 'delivered', ...(isShort ? { reasonCode: 'output_below_minimum' } : {}) },
  }
}
