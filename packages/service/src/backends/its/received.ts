import { keccakHex } from '../../chains/evm/keccak.ts'
import type { ContractChain, ContractEvents } from '../../chains/payment-chain.ts'
import { isBareHash } from '../../core/hex.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Log } from '../../lib/log.ts'
import type { GmpMessage } from '../../protocols/axelar/gmp-message.ts'
import { receiveFromHubPayload } from '../../protocols/axelar/its-contract.ts'
import { messageExecutedTopics, transferReceivedTopics } from '../../protocols/axelar/its-stellar.ts'
import { type DeliveryHint, verifyTransaction } from '../delivery.ts'

/** Whether a contract emitted an event with exactly these topics. */
const hasEvent = ({ events }: ContractEvents, contract: string, topics: readonly string[]): boolean =>
  events.some(
    (event) =>
      event.contract === contract &&
      event.topics.length === topics.length &&
      event.topics.every((topic, position) => topic === topics[position]),
  )

/**
 * Whether a transaction delivers the quote's transfer: the gateway marks the hub's message with exactly the quote's payload
 * as executed, and the token service gives the recipient exactly its output.
 */
const isDelivery = (quote: QuoteRecord, messageId: string, found: ContractEvents): boolean => {
  const sourceChain = requireBinding(quote, 'sourceAxelarChain')
  const tokenId = requireBinding(quote, 'tokenId')
  const its = requireBinding(quote, 'destinationIts')
  const { sender, recipient, output: amount } = quote
  const payload = receiveFromHubPayload(sourceChain, {
    tokenId,
    destinationChain: requireBinding(quote, 'destinationAxelarChain'),
    sender,
    recipient: requireBinding(quote, 'recipientBytes'),
    amount,
  })
  const executed = messageExecutedTopics({
    sourceChain: requireBinding(quote, 'hubChain'),
    sourceAddress: requireBinding(quote, 'hubAddress'),
    messageId,
    contract: its,
    payloadHash: `0x${keccakHex(Buffer.from(payload.slice(2), 'hex'))}`,
  })
  const received = transferReceivedTopics({ sourceChain, tokenId, sender, recipient, amount })
  return (
    hasEvent(found, requireBinding(quote, 'destinationGateway'), executed) && hasEvent(found, its, received)
  )
}

/** Verifies a delivery by the events of the token service and the gateway, as a quorum of endpoints tell them. */
export const verifyReceived = (
  { contracts, log }: { readonly contracts: ContractChain; readonly log: Log },
  hint: DeliveryHint,
  { messageId }: GmpMessage,
): Promise<Observation> => {
  const { quote, txHash } = hint
  const emitters = [requireBinding(quote, 'destinationGateway'), requireBinding(quote, 'destinationIts')]
  return verifyTransaction(log, hint, {
    read: async () =>
      // A closed ledger is final.
      isBareHash(txHash) ? { ...(await contracts.eventsIn(txHash, emitters)), final: true } : undefined,
    counting: async (found) => found,
    received: (found) => (isDelivery(quote, messageId, found) ? quote.output : undefined),
  })
}
