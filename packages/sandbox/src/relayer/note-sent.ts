import type { ReceivingChain, SentCall } from '../deployment-types.ts'
import { type GasPayment, type MessageCall, newMessage } from './message.ts'
import type { RelayHistory } from './relay-history.ts'

const callOf = (chain: ReceivingChain, sent: SentCall): MessageCall => ({
  event: 'ContractCall',
  source: chain.axelarName,
  messageId: sent.messageId,
  landing: {
    txHash: sent.txHash,
    blockNumber: BigInt(sent.slot),
    timestampSeconds: sent.timestampSeconds,
  },
  transactionIndex: 0,
  logIndex: 0,
  eventIndex: 0,
  from: sent.payer,
  contract: chain.gateway,
  sender: sent.sender,
  destination: sent.destination,
  destinationAddress: sent.destinationAddress,
  payload: sent.payload,
  payloadHash: sent.payloadHash,
})

const paymentOf = ({ messageId, txHash, slot, gas, payer }: SentCall): GasPayment => ({
  id: messageId,
  txHash,
  blockNumber: BigInt(slot),
  amount: gas,
  refundAddress: payer,
  isExpress: false,
})

/** Records the final messages of a chain of another family; recording one twice changes nothing. */
export const noteSent = async (
  chain: ReceivingChain,
  { messages }: RelayHistory,
  nowMs: number,
): Promise<void> => {
  for (const sent of chain.sent())
    if (messages.get(sent.messageId) === undefined)
      messages.put(newMessage(callOf(chain, sent), sent.gas > 0n ? [paymentOf(sent)] : [], null, nowMs))
}
