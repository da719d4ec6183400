import type { ComponentName } from './components.ts'

/** A request that the service sends to the webhooks of its operator. */
export type WebhookMessage = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly body: ComponentName
}

/** The headers of every message, by name. Source: Standard Webhooks. */
export const WEBHOOK_HEADERS = {
  'webhook-id': 'Names the message; the same at every attempt.',
  'webhook-timestamp': 'The time of the attempt, in seconds since 1970.',
  'webhook-signature':
    "One signature for each of the webhook's secrets, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body, joined by full stops.",
} as const

/** Every message. Each is sent until its receiver answers 2xx, those of one transfer in order. */
export const WEBHOOK_MESSAGES: readonly WebhookMessage[] = [
  {
    operationId: 'transferChanged',
    summary: 'A transfer has changed',
    description:
      'Sent to every webhook of the operator when the state of a transfer changes, and when the delivery of a DONE transfer becomes final or is taken back. It is sent at least once, for each transfer in order, until the receiver answers 2xx: 24 times in three days.',
    body: 'TransferChanged',
  },
  {
    operationId: 'webhookTest',
    summary: 'A test',
    description: 'Sent once when the operator asks for it.',
    body: 'WebhookTest',
  },
]
