import { RecordedQuote, Status } from '@openrfq/sdk'
import { z } from 'zod'
import type { Instant } from './instant.ts'
import type { QuoteId } from './quote-id.ts'

const Timestamp = RecordedQuote.shape.createdAt

/** The body that webhooks are sent for a change of a transfer. */
export const TransferChanged = z.object({
  type: z.literal('transfer.changed'),
  timestamp: Timestamp,
  data: z.object({
    revision: z.int().min(1),
    messageId: z.nullable(z.string()),
    quote: RecordedQuote,
    status: Status,
  }),
})

/** The body of a test that the operator asks for. */
export const WebhookTest = z.object({
  type: z.literal('webhook.test'),
  timestamp: Timestamp,
  data: z.object({}),
})

/** A change of a transfer's state, as the operator's webhooks are told it; stored together with the change. */
export type TransferNews = {
  /** The same for every webhook and every attempt; contains no full stop. */
  readonly eventId: string
  /** JSON text; every attempt sends these bytes. */
  readonly body: string
  readonly createdAt: Instant
  /** The names of the webhooks that are told, each once; at least one. */
  readonly webhooks: readonly [string, ...string[]]
}

/** `abandoned`: every attempt failed. */
export type NotificationOutcome = 'pending' | 'accepted' | 'abandoned'

/** What one webhook is told of one change, identified by webhook and event. */
export type Notification = Pick<TransferNews, 'eventId' | 'body' | 'createdAt'> & {
  readonly webhook: string
  readonly quoteId: QuoteId
  readonly messageId: string
  /** The transfer's revision after the change. */
  readonly revision: number
  readonly outcome: NotificationOutcome
  /** Ended attempts since the change, or since an operator repeated the notification. */
  readonly attempts: number
  /** The next attempt of a pending notification is not made before it. */
  readonly nextAttemptAt: Instant
  /** The last ended attempt and what came of it, for people. */
  readonly last: { readonly at: Instant; readonly result: string } | undefined
}
