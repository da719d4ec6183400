import {
  RecordedQuote,
  Recovery,
  RecoveryAnswer,
  RecoveryKind,
  RecoveryOutcome,
  SearchAnswer,
  TransferAnswer,
  TransfersAnswer,
} from '@openrfq/sdk'
import { inner, listMeaning, objectMeaning } from './meaning.ts'

const RECORDED_USD =
  'Approximate USD value when the quote was made; informational; omitted when there was no price.'

/** The answers about kept quotes and their transfers, and what moves a transfer on. */
export const TRANSFER_MEANINGS = {
  TransferAnswer: objectMeaning(TransferAnswer, 'A quote, and where its transfer is now.', {
    quote: 'What the service keeps of the quote; null when it has no such quote.',
    status: 'Where the transfer is now.',
  }),
  TransfersAnswer: objectMeaning(TransfersAnswer, 'The transfers of an address, a page at a time.', {
    transfers: 'Newest quote first.',
    next: 'The `before` of the next page; null at the end.',
  }),
  RecordedQuote: objectMeaning(
    inner(TransferAnswer.shape.quote),
    'What the service keeps of a quote: the terms of its transfer, without the actions.',
    {
      quoteId: 'The id of the quote.',
      backend: 'The execution route.',
      createdAt: 'When the quote was made.',
      quoteExpiresAt: 'Until when the first action had to be submitted.',
      fulfillmentDeadline: 'Until when the recipient is paid, where the backend promises it.',
      estimatedTimeSeconds: 'Estimated end-to-end fulfilment time in seconds.',
      orderType: 'Which side of the transfer the requested amount fixed.',
      sender: 'Address that executes the actions and provides the input funds.',
      recipient: 'Address that receives the output.',
      input: 'What the user deposits.',
      output: 'What the recipient receives.',
      refund:
        'What happens to the deposit when the transfer cannot be fulfilled; null where the backend does not say.',
      deposit: 'The payment that starts the transfer, where it is a plain payment to an address; else null.',
    },
  ),
  RecordedBackend: objectMeaning(RecordedQuote.shape.backend, 'The execution route of a quote.', {
    type: 'Its type.',
    name: 'Its name.',
  }),
  RecordedInput: objectMeaning(RecordedQuote.shape.input, 'What a quote asks the user to deposit.', {
    chain: 'CAIP-2 identifier.',
    token: 'Token address.',
    amount: 'Base units.',
    amountUsdApprox: RECORDED_USD,
  }),
  RecordedOutput: objectMeaning(RecordedQuote.shape.output, 'What a quote promises to the recipient.', {
    chain: 'CAIP-2 identifier.',
    token: 'Token address.',
    amount: 'Base units expected.',
    minimumAmount: 'Base units guaranteed.',
    amountUsdApprox: RECORDED_USD,
  }),
  SearchAnswer: objectMeaning(SearchAnswer, 'The transfers that a text finds.', {
    transfers: 'At most ten, newest quote first.',
  }),
  RecoveryAnswer: objectMeaning(RecoveryAnswer, 'What moves a late transfer on.', {
    quoteId: 'The id of the quote.',
    state: 'Where the transfer is now.',
    recoveries: 'Any one of them; empty while the transfer needs no help, and while nothing helps.',
  }),
  Recovery: objectMeaning(Recovery, 'A way to move a transfer on, which any account of the chain may sign.', {
    kind: 'What it does.',
    label: 'Human-readable label.',
    chain: 'CAIP-2 chain that it is signed on.',
    leadsTo: 'The state that follows.',
    value:
      "Base units of the chain's native asset that it pays beside gas, such as for a relay; absent if nothing.",
    actions: 'What to sign; empty unless `account` is an address of the chain.',
  }),
  RecoveryOutcome: listMeaning(RecoveryOutcome, 'The state that a recovery leads to.', {
    DONE: 'The recipient gets the output.',
    REFUNDED: 'The sender gets the deposit back.',
  }),
  RecoveryKind: listMeaning(RecoveryKind, 'What a recovery does. New kinds may be added.', {
    add_gas: 'Pays for the relay of a message by Axelar, which returns what it does not use.',
    execute: 'Executes a message that the gateway of its destination has approved.',
    refund:
      'Refunds the sender of an order that no solver filled in time, or of an express transfer whose delivery fails.',
  }),
}
