import type { ChainId, TransferSource } from '@openrfq/sdk'
import type { EvmChain, EvmLog, EvmLogQuery, EvmReceipt } from '../chains/evm/evm-chain.ts'
import { quoteTag } from '../chains/evm/quote-tag.ts'
import { parseMessageId } from '../chains/message-id.ts'
import { ConfigError } from '../core/config-error.ts'
import { type Instant, toIso } from '../core/instant.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Observation } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import type { Lookup } from './backend.ts'

/**
 * Tolerated age of a block over the quote's creation time, by the service's clock; an older message belongs to another
 * quote.
 */
export const CLOCK_SKEW_MS = 15_000

/** The call of the quote's transaction, without the quote's tag, and how to recognise the gateway log that it emits. */
export type ExpectedMessage = {
  readonly contract: string
  readonly calldata: () => string
  readonly matches: (log: EvmLog) => boolean
  /** The events among which it is searched; all quotes of a chain share them. */
  readonly among: Pick<EvmLogQuery, 'address' | 'topics'>
}

/** A source transaction with the quote's message. */
export type SourceMessage = {
  readonly messageId: string
  readonly logPosition: number
  readonly receipt: EvmReceipt
  readonly source: TransferSource
}

/** The message, or the observation to report without one. */
export type SourceReading =
  | { readonly found: SourceMessage }
  | { readonly found: undefined; readonly observation: Observation }

/** The message to find: the quote's, at the position named in the status request. */
type SourceQuery = {
  readonly quote: QuoteRecord
  readonly lookup: Lookup
  readonly expected: ExpectedMessage
}

/** A reverted transaction, and the quote's expected one. */
type Reverted = Pick<SourceQuery, 'quote'> & {
  readonly receipt: EvmReceipt
  readonly source: TransferSource
  readonly expected: ExpectedMessage
}

export type SourceDeps = { readonly evmChains: ReadonlyMap<ChainId, EvmChain>; readonly log: Log }

const report = (observation: Observation): SourceReading => ({ found: undefined, observation })

const NOTHING: SourceReading = report({ seen: 'nothing', details: {} })
const MISMATCHED: SourceReading = report({ seen: 'mismatched', details: {} })
const UNREADABLE: SourceReading = report({ seen: 'unreadable', details: {} })

/** Whether two logs are equal; topics missing from the expectation are not compared. */
export const isSameLog = (log: EvmLog, expected: EvmLog): boolean =>
  log.address === expected.address.toLowerCase() &&
  expected.topics.every((topic, index) => log.topics[index] === topic) &&
  log.data.toLowerCase() === expected.data

/** Whether a transaction was mined before the quote was made, and so was not sent for it. */
export const isOlderThan = (receipt: EvmReceipt, createdAt: Instant): boolean =>
  receipt.timestampSeconds * 1000 < createdAt - CLOCK_SKEW_MS

/** Whether a reverted transaction was exactly the quote's; without logs, its calldata identifies it. */
export const wasQuoted = (receipt: EvmReceipt, quote: QuoteRecord, expected: ExpectedMessage): boolean => {
  const { contract } = expected
  const calldata = expected.calldata()
  const input = receipt.input.toLowerCase()
  return (
    receipt.from === quote.sender.toLowerCase() &&
    receipt.to === contract.toLowerCase() &&
    (input === calldata || input.startsWith(calldata + quoteTag(quote.quoteId)))
  )
}

/**
 * A revert moves no funds: once final it ends the transfer; before that nothing is deposited, so nothing is pending.
 */
const readReverted = ({ receipt, source, quote, expected }: Reverted): Observation => {
  if (!wasQuoted(receipt, quote, expected)) return { seen: 'mismatched', details: {} }
  if (!receipt.final) return { seen: 'nothing', details: { stage: 'source_reverted_not_final' } }
  return { seen: 'failed', source, details: { stage: 'source_reverted', reasonCode: 'source_tx_reverted' } }
}

/**
 * The receipt; where one endpoint says that the transaction is absent or reverted, and so moves nothing, what a quorum say.
 * Rejects if the chain cannot be read.
 */
const readReceipt = async (
  { evmChains }: SourceDeps,
  chainId: ChainId,
  txHash: string,
): Promise<EvmReceipt | undefined> => {
  const chain = evmChains.get(chainId)
  if (chain === undefined) throw new ConfigError(`chain ${chainId} is not configured any more`)
  const receipt = await chain.receipt(txHash)
  if (receipt?.succeeded === true || receipt?.final === true) return receipt
  return chain.agreedReceipt(txHash)
}

/**
 * Finds the quote's message on its source chain. `mismatched` if the transaction exists but the named log is not
 * exactly the quote's, or is older than the quote; `nothing` while a quorum of endpoints do not know the transaction. Two
 * identical quotes cannot be told apart on chain: the caller decides which one owns a message.
 */
export const readSource = async (
  deps: SourceDeps,
  { quote, lookup, expected }: SourceQuery,
): Promise<SourceReading> => {
  if (lookup === null) return NOTHING
  const id = parseMessageId(lookup.messageId)
  if (id === undefined || lookup.sourceChain !== quote.fromChain) return MISMATCHED
  const { txHash, logPosition } = id
  const messageId = `${txHash}-${logPosition}`
  let receipt: EvmReceipt | undefined
  try {
    receipt = await readReceipt(deps, quote.fromChain, txHash)
  } catch (error) {
    deps.log('warn', 'source_transaction_read_failed', { quoteId: quote.quoteId, messageId, error })
    return UNREADABLE
  }
  if (receipt === undefined) return NOTHING
  if (isOlderThan(receipt, quote.createdAt)) return MISMATCHED
  const source: TransferSource = {
    chain: quote.fromChain,
    txHash,
    messageId,
    timestamp: toIso(receipt.timestampSeconds * 1000),
  }
  if (!receipt.succeeded) return report(readReverted({ receipt, source, quote, expected }))
  const emitted = receipt.logs[logPosition]
  if (emitted === undefined || !expected.matches(emitted)) return MISMATCHED
  return { found: { messageId, logPosition, receipt, source } }
}
