import type { GatewayDetails, RelayStage } from '@openrfq/sdk'
import { addressTopic, uintAt } from '../../chains/evm/abi-words.ts'
import { ERC20_TRANSFER_TOPIC } from '../../chains/evm/erc20.ts'
import type { EvmLog, EvmReceipt } from '../../chains/evm/evm-chain.ts'
import { parseUnitsFloor } from '../../core/decimal.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Closed } from '../../core/written.ts'
import { once } from '../../lib/once.ts'
import {
  EXECUTED_TOPIC,
  sendTokenTemplate,
  TOKEN_SENT_TOPIC,
  tokenSentData,
} from '../../protocols/axelar/gateway-contract.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { AxelarTokenTransfer } from '../../protocols/axelar/token-transfer.ts'
import type { Lookup } from '../backend.ts'
import { type DeliveryDeps, verifyDelivery } from '../delivery.ts'
import { relayStage } from '../relay-stage.ts'
import { type ExpectedMessage, isSameLog, type SourceMessage } from '../source-message.ts'
import { trackMessage } from '../track-message.ts'

export type GatewayTrackDeps = DeliveryDeps & { readonly axelarscan: Pick<Axelarscan, 'findTransfers'> }

/** The indexer reports amounts as floating-point numbers. */
const INDEXED_PRECISION = 1_000_000_000_000n

/** The message that the quote's transaction sends. */
export const expectedMessage = (quote: QuoteRecord): ExpectedMessage => {
  const gateway = requireBinding(quote, 'sourceGateway')
  const destinationChain = requireBinding(quote, 'destinationAxelarChain')
  const symbol = requireBinding(quote, 'sourceSymbol')
  const calldata = once(() =>
    sendTokenTemplate(destinationChain, symbol)({ recipient: quote.recipient, amount: quote.input }),
  )
  const log = once(() => ({
    address: gateway,
    topics: [TOKEN_SENT_TOPIC, addressTopic(quote.sender)],
    data: tokenSentData(calldata()),
  }))
  return {
    contract: gateway,
    calldata,
    matches: (emitted) => isSameLog(emitted, log()),
    among: { address: gateway, topics: [TOKEN_SENT_TOPIC] },
  }
}

/** Whether an amount in whole tokens, at the indexer's precision, equals the given base units. */
const isAbout = (text: string | undefined, amount: bigint, decimals: number): boolean => {
  const indexed = text === undefined ? undefined : parseUnitsFloor(text, decimals)
  if (indexed === undefined) return false
  const difference = indexed > amount ? indexed - amount : amount - indexed
  return difference <= amount / INDEXED_PRECISION + 1n
}

/** Whether a record's chain, if it names one, is that chain. */
const isChain = (named: string | undefined, axelarName: string): boolean =>
  named === undefined || named.toLowerCase() === axelarName.toLowerCase()

/**
 * Whether a record of the quote's transaction has the quote's terms. The sender is not compared: the record may name the
 * account that paid for the transaction, and not the wallet contract that sent the token.
 */
const isTransferOf = (quote: QuoteRecord, transfer: AxelarTokenTransfer): boolean =>
  isChain(transfer.sourceChain, requireBinding(quote, 'sourceAxelarChain')) &&
  (transfer.recipientAddress === undefined || transfer.recipientAddress === quote.recipient.toLowerCase()) &&
  transfer.denom === requireBinding(quote, 'denom') &&
  isAbout(transfer.amount, quote.input, Number(requireBinding(quote, 'decimals'))) &&
  transfer.destinationChain?.toLowerCase() === requireBinding(quote, 'destinationAxelarChain').toLowerCase()

/**
 * The record of this message among those of its transaction. Records do not name the event; of several with equal terms, also of
 * other senders, the first event gets the lowest transfer id, since Axelar numbers them in event order.
 */
const recordOf = (
  quote: QuoteRecord,
  { receipt, logPosition }: SourceMessage,
  transfers: readonly AxelarTokenTransfer[],
): AxelarTokenTransfer | undefined => {
  const own = receipt.logs[logPosition]
  const isEqual = ({ address, topics, data }: EvmLog): boolean =>
    address === own?.address && topics[0] === own.topics[0] && data === own.data
  const rank = receipt.logs.slice(0, logPosition).filter(isEqual).length
  const equal = transfers.filter((transfer) => isTransferOf(quote, transfer))
  return equal.toSorted(byTransferId)[rank]
}

/** Transfers without an id yet come last. */
const byTransferId = (one: AxelarTokenTransfer, other: AxelarTokenTransfer): number => {
  if (one.transferId === other.transferId) return 0
  if (one.transferId === undefined) return 1
  if (other.transferId === undefined) return -1
  return one.transferId < other.transferId ? -1 : 1
}

/** A higher fee may make a delivery short; one of less than half is another's, which anybody can send to the recipient. */
const isOwn = (amount: bigint | undefined, { minimumOutput }: QuoteRecord): boolean =>
  amount !== undefined && amount * 2n >= minimumOutput

/**
 * The amount that the gateway's command paid the recipient, in base units: the token transfer between the batch's
 * previous command and this one. Undefined if the receipt contains none, or so little that the command is another transfer's: that it
 * is this one's, the indexer alone says.
 */
const paidBy =
  (quote: QuoteRecord, commandId: string) =>
  ({ logs }: EvmReceipt): bigint | undefined => {
    const gateway = requireBinding(quote, 'destinationGateway').toLowerCase()
    const token = quote.toToken.toLowerCase()
    const recipient = addressTopic(quote.recipient)
    let paid: bigint | undefined
    for (const { address, topics, data } of logs) {
      const isExecuted = address === gateway && topics[0] === EXECUTED_TOPIC
      if (isExecuted && topics[1] === commandId) return isOwn(paid, quote) ? paid : undefined
      if (isExecuted) paid = undefined
      if (address === token && topics[0] === ERC20_TRANSFER_TOPIC && topics[2] === recipient)
        paid = uintAt(data, 0)
    }
    return undefined
  }

/**
 * The transaction that executed the transfer's command: as Axelarscan says, or by the gateway's own event where Axelarscan knows
 * only that it was executed.
 */
const executionOf = async (
  { evmChains, log }: GatewayTrackDeps,
  quote: QuoteRecord,
  { commandId, commandTxHash, isExecuted }: AxelarTokenTransfer,
): Promise<string | undefined> => {
  if (commandTxHash !== undefined || commandId === undefined || !isExecuted) return commandTxHash
  const query = { address: requireBinding(quote, 'destinationGateway'), topics: [EXECUTED_TOPIC, commandId] }
  try {
    return (await evmChains.get(quote.toChain)?.recentLogs(query))?.at(-1)?.txHash
  } catch (error) {
    log('warn', 'delivery_read_failed', { quoteId: quote.quoteId, commandId, error })
    return undefined
  }
}

/** Follows the transfer in Axelar's indexer and verifies its delivery on chain. */
const follow = async (
  deps: GatewayTrackDeps,
  quote: QuoteRecord,
  message: SourceMessage,
): Promise<Observation> => {
  const { source, receipt } = message
  const transfer = recordOf(quote, message, await deps.axelarscan.findTransfers(receipt.txHash))
  const inFlight = (stage: RelayStage, more: Closed<GatewayDetails> = {}): Observation => ({
    seen: 'in_flight',
    source,
    details: { stage, ...more },
  })
  if (transfer === undefined) return inFlight(receipt.final ? 'awaiting_relay' : 'awaiting_finality')
  const { transferId, status, commandId } = transfer
  const details: Closed<GatewayDetails> = {
    backendStatus: status,
    ...(transferId === undefined ? {} : { transferId: transferId.toString() }),
  }
  const txHash = await executionOf(deps, quote, transfer)
  if (commandId === undefined || txHash === undefined)
    return inFlight(transfer.voteFailed ? 'vote_failed' : relayStage(status), details)
  return verifyDelivery(deps, { quote, source, txHash, details }, paidBy(quote, commandId))
}

/** Observes a gateway transfer. A mint event names no source, so the chain alone cannot attribute it. */
export const trackSend = async (
  deps: GatewayTrackDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<Observation> =>
  trackMessage(deps, {
    quote,
    lookup,
    expected: expectedMessage(quote),
    follow: (message) => follow(deps, quote, message),
  })
