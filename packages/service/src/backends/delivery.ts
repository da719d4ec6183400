import { isDeepStrictEqual } from 'node:util'
import type { RelayStage, TransferSource } from '@openrfq/sdk'
import type { EvmReceipt } from '../chains/evm/evm-chain.ts'
import { toIso } from '../core/instant.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Details, Observation } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import type { SourceDeps } from './source-message.ts'

export type DeliveryDeps = SourceDeps & {
  /** After how many blocks a quote's delivery counts; undefined where it must be final. */
  readonly deliveryConfirmations: (quote: QuoteRecord) => number | undefined
}

/** A transfer in flight, and the delivery transaction that Axelar's indexer reports for it. */
export type DeliveryHint = {
  readonly quote: QuoteRecord
  readonly source: TransferSource
  readonly txHash: string
  readonly details: Details
}

/**
 * The receipt of a delivery that counts: a final one, or one that a quorum gives under as many blocks as the operator asks for
 * the delivery's value. Undefined for one that does not count yet. Rejects if the chain cannot be read.
 */
export const countingReceipt = async (
  { evmChains, deliveryConfirmations }: DeliveryDeps,
  quote: QuoteRecord,
  receipt: EvmReceipt,
): Promise<EvmReceipt | undefined> => {
  if (receipt.final) return receipt
  const confirmations = deliveryConfirmations(quote)
  if (confirmations === undefined) return undefined
  const agreed = await evmChains.get(quote.toChain)?.receiptUnder(receipt.txHash, confirmations)
  return agreed !== undefined && isSameReceipt(agreed, receipt) ? agreed : undefined
}

/** Whether two receipts tell the same; what a quorum gives may contradict the endpoint that was asked first. */
const isSameReceipt = (one: EvmReceipt, other: EvmReceipt): boolean =>
  one.blockHash === other.blockHash &&
  one.succeeded === other.succeeded &&
  one.timestampSeconds === other.timestampSeconds &&
  one.firstLogIndex === other.firstLogIndex &&
  isDeepStrictEqual(one.logs, other.logs)

/** What a status says of a delivery that counts before it is final. */
export const finalityDetails = ({ final }: Pick<EvmReceipt, 'final'>): Details =>
  final ? {} : { deliveryFinal: false }

/** How much earlier than its source a delivery may be by the clocks of two chains. */
const CHAIN_SKEW_MS = 60_000

/** A transaction on the destination chain. */
type DeliveryTransaction = Pick<EvmReceipt, 'succeeded' | 'final' | 'timestampSeconds'>

/** How a delivery is read and judged. */
type DeliveryReader<Transaction extends DeliveryTransaction> = {
  readonly read: () => Promise<Transaction | undefined>
  /** The transaction if it counts already; undefined while it may still leave the chain. */
  readonly counting: (transaction: Transaction) => Promise<Transaction | undefined>
  /** The amount that the recipient got, in base units; undefined if the transaction delivers something else. */
  readonly received: (transaction: Transaction) => bigint | undefined
}

/** Verifies a delivery on an EVM chain, as `verifyTransaction` does. */
export const verifyDelivery = (
  deps: DeliveryDeps,
  hint: DeliveryHint,
  received: (receipt: EvmReceipt) => bigint | undefined,
): Promise<Observation> =>
  verifyTransaction(deps.log, hint, {
    read: async () => deps.evmChains.get(hint.quote.toChain)?.receipt(hint.txHash),
    counting: (receipt) => countingReceipt(deps, hint.quote, receipt),
    received,
  })

/**
 * Verifies a delivery on the destination chain: it counts only if the transaction is final or as deep as the operator asks,
 * not older than its source, and `received` finds the amount that the recipient got. Otherwise the transfer stays in flight,
 * with a stage that says what is missing.
 */
export const verifyTransaction = async <Transaction extends DeliveryTransaction>(
  log: Log,
  { quote, source, txHash, details }: DeliveryHint,
  { read, counting: countingOf, received }: DeliveryReader<Transaction>,
): Promise<Observation> => {
  const inFlight = (stage: RelayStage): Observation => ({
    seen: 'in_flight',
    source,
    details: { ...details, stage },
  })
  let receipt: Transaction | undefined
  let counting: Transaction | undefined
  try {
    receipt = await read()
    counting = receipt?.succeeded === true ? await countingOf(receipt) : undefined
  } catch (error) {
    log('warn', 'delivery_read_failed', { quoteId: quote.quoteId, txHash, error })
    return inFlight('destination_unreadable')
  }
  if (receipt === undefined) return inFlight('delivery_not_seen')
  const isOlder = receipt.timestampSeconds * 1000 < Date.parse(source.timestamp) - CHAIN_SKEW_MS
  const amount = receipt.succeeded && !isOlder ? received(receipt) : undefined
  if (amount === undefined) return inFlight('delivery_not_verified')
  if (counting === undefined) return inFlight('delivered_not_final')
  const isShort = amount < quote.minimumOutput
  if (isShort) log('error', 'delivery_below_minimum', { quoteId: quote.quoteId, amount })
  return {
    seen: 'delivered',
    source,
    destination: { chain: quote.toChain, txHash, timestamp: toIso(receipt.timestampSeconds * 1000) },
    output: { chain: quote.toChain, token: quote.toToken, amount: amount.toString() },
    details: {
      ...{ ...details, stage: 'delivered', ...finalityDetails(counting) },
      ...(isShort ? { reasonCode: 'output_below_minimum' } : {}),
    },
  }
}
