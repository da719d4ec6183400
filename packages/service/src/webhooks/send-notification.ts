import type { Instant } from '../core/instant.ts'
import type { Notification } from '../core/notification.ts'
import { type HttpAnswer, type HttpClient, HttpFault } from '../lib/http-client.ts'
import { retryAfterMs } from '../lib/retry-after.ts'
import { webhookSignature } from './sign.ts'
import type { Webhook } from './webhook.ts'

/** What came of an attempt; `retryMs` is the pause that the receiver asks for, 0 without one. */
export type Attempt = { readonly isAccepted: boolean; readonly result: string; readonly retryMs: number }

/** Deadline of one attempt, with its answer. */
export const ATTEMPT_DEADLINE_MS = 10_000
/** Of the answer, which is read and dropped. */
const MAX_ANSWER_BYTES = 64 * 1024

const judge = ({ status, retryAfter }: HttpAnswer, at: Instant): Attempt => ({
  isAccepted: status >= 200 && status < 300,
  result: `HTTP ${status}`,
  retryMs: retryAfterMs(retryAfter, at) ?? 0,
})

/**
 * Posts a notification once. Any status from 200 to 299 accepts it; a redirect is not followed, because its
 * target was not checked.
 */
export const sendNotification = async (
  http: Pick<HttpClient, 'send'>,
  { url, secrets }: Pick<Webhook, 'url' | 'secrets'>,
  { eventId: id, body }: Pick<Notification, 'eventId' | 'body'>,
  at: Instant,
): Promise<Attempt> => {
  const timestampSeconds = Math.floor(at / 1000)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': webhookSignature(secrets, { id, timestampSeconds, body }),
    'user-agent': 'OpenRFQ',
  }
  try {
    const limits = { deadlineMs: ATTEMPT_DEADLINE_MS, maxBytes: MAX_ANSWER_BYTES }
    return judge(await http.send({ url, body, headers, ...limits }), at)
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error
    return { isAccepted: false, result: `${error.code}: ${error.message}`, retryMs: 0 }
  }
}
