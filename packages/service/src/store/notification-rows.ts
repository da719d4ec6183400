import { z } from 'zod'
import type { Notification, TransferNews } from '../core/notification.ts'
import type { NotificationStore } from './notification-store.ts'
import { parseOrBlame, StoredId, type TransferRow } from './rows.ts'
import type { Sql, SqlValue } from './sql.ts'

/** PostgreSQL returns big integers as text. */
const Moment = z.coerce.number().int().min(0)

const NotificationRow = z.object({
  webhook: z.string(),
  event_id: z.string(),
  quote_id: StoredId,
  message_id: z.string(),
  revision: z.int().positive(),
  body: z.string(),
  created_at: Moment,
  outcome: z.enum(['pending', 'accepted', 'abandoned']),
  attempts: z.int().min(0),
  next_at: Moment,
  last_at: Moment,
  last_result: z.string(),
})

const decode = (row: unknown): Notification =>
  parseOrBlame('a notification', () => {
    const stored = NotificationRow.parse(row)
    return {
      webhook: stored.webhook,
      eventId: stored.event_id,
      quoteId: stored.quote_id,
      messageId: stored.message_id,
      revision: stored.revision,
      body: stored.body,
      createdAt: stored.created_at,
      outcome: stored.outcome,
      attempts: stored.attempts,
      nextAttemptAt: stored.next_at,
      last: stored.last_at === 0 ? undefined : { at: stored.last_at, result: stored.last_result },
    }
  })

const keyOf = ({ webhook, eventId }: Pick<Notification, 'webhook' | 'eventId'>): readonly SqlValue[] => [
  webhook,
  eventId,
]

/** The parameters of `saveNotification` for each webhook that is told of a change. */
export const notificationValues = (
  { quoteId, messageId, revision }: TransferRow,
  { webhooks, eventId, body, createdAt }: TransferNews,
): readonly (readonly (string | number)[])[] =>
  webhooks.map((webhook) => [webhook, eventId, quoteId, messageId, revision, body, createdAt])

/** Notifications of webhooks, over either database. */
export const notificationMethods = ({ read, change }: Sql): NotificationStore => ({
  listDueNotifications: async (webhook, now, limit) =>
    (await read('listDueNotifications', [webhook, now, limit])).map(decode),
  claimNotification: async (seen, until) =>
    (await change('claimNotification', [...keyOf(seen), seen.nextAttemptAt, until])) === 1,
  endAttempt: async (attempted, { outcome, at, result, nextAttemptAt }) => {
    const { webhook, quoteId, messageId, revision } = attempted
    await change('endAttempt', [...keyOf(attempted), outcome, at, result, nextAttemptAt])
    await change('moveLaterNotifications', [webhook, quoteId, messageId, revision, nextAttemptAt])
  },
  listNotifications: async (webhook, outcome, limit, before) =>
    (
      await read('listNotifications', [
        webhook,
        outcome,
        before?.createdAt ?? Number.MAX_SAFE_INTEGER,
        before?.eventId ?? '',
        limit,
      ])
    ).map(decode),
  repeatNotification: async (webhook, eventId, at) =>
    (await change('repeatNotification', [webhook, eventId, at])) === 1,
  purgeNotifications: (createdBefore) => change('purgeNotifications', [createdBefore]),
})
