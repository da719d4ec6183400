import { TransferChanged, WebhookTest } from '../../core/notification.ts'
import { objectMeaning } from './meaning.ts'

const WHEN = 'When the message was made.'

/** What the service sends to the operator's webhooks. */
export const WEBHOOK_MEANINGS = {
  TransferChanged: objectMeaning(TransferChanged, 'A change of a transfer.', {
    type: 'Always `transfer.changed`.',
    timestamp: WHEN,
    data: 'The transfer after the change.',
  }),
  ChangedTransfer: objectMeaning(TransferChanged.shape.data, 'A transfer after a change.', {
    revision:
      'The number of the change: a receiver that knows a higher one of the transfer ignores the message.',
    messageId: 'Identifier of the Axelar message; null for intents.',
    quote: 'What the service keeps of the quote.',
    status: 'The status that the change led to.',
  }),
  WebhookTest: objectMeaning(WebhookTest, 'A test of a webhook, which tells of no transfer.', {
    type: 'Always `webhook.test`.',
    timestamp: WHEN,
    data: 'Empty.',
  }),
  NoData: objectMeaning(WebhookTest.shape.data, 'Nothing.', {}),
}
