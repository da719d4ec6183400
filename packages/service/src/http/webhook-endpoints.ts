import { RfqError } from '@openrfq/sdk'
import { z } from 'zod'
import { toIso } from '../core/instant.ts'
import type { Notification } from '../core/notification.ts'
import type { NotificationLog } from '../webhooks/create-webhooks.ts'
import type { Endpoint } from './endpoint.ts'
import { HttpError } from './http-error.ts'
import { createLocalAccess, type LocalAccess } from './local-access.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import { queryOf } from './request-target.ts'
import { FRESH_JSON } from './response-headers.ts'
import { parseBody } from './strict-json.ts'

const MOST_LISTED = 100
const USUALLY_LISTED = 20
const WHOLE = `expected a whole number from 1 to ${MOST_LISTED}`

/** Where a page ends: the time in milliseconds, a full stop, and the id of its last notification. */
const PAGE_END = /^([0-9]{1,15})\.(msg_[A-Za-z0-9_-]{1,64})$/

const PageEnd = z.string().transform((text, context) => {
  const [, createdAt, eventId] = PAGE_END.exec(text) ?? []
  if (createdAt !== undefined && eventId !== undefined) return { createdAt: Number(createdAt), eventId }
  context.addIssue('expected the `next` of a page')
  return z.NEVER
})

const ListRequest = z.object({
  webhook: z.string(),
  outcome: z.enum(['pending', 'accepted', 'abandoned']),
  limit: z
    .codec(z.string().regex(/^[1-9][0-9]{0,2}$/, WHOLE), z.int().max(MOST_LISTED, WHOLE), {
      decode: Number,
      encode: String,
    })
    .default(USUALLY_LISTED),
  before: PageEnd.optional(),
})
const PARAMETERS = ListRequest.keyof().options

const RepeatRequest = z.strictObject({
  webhook: z.string(),
  eventId: z.string().regex(/^msg_[A-Za-z0-9_-]{1,64}$/, 'expected the eventId of a notification'),
})

const TestRequest = z.strictObject({ webhook: z.string() })

const expectKnown = (names: readonly string[], webhook: string): void => {
  if (names.includes(webhook)) return
  const expected = names.length === 0 ? 'WEBHOOKS names none' : `expected ${names.join(', ')}`
  throw new RfqError('INVALID_REQUEST', `webhook is unknown; ${expected}`, { field: 'webhook' })
}

const present = (notification: Notification) => {
  const { eventId, quoteId, messageId, revision, createdAt, outcome, attempts, nextAttemptAt, last } =
    notification
  return {
    eventId,
    quoteId,
    messageId: messageId === '' ? null : messageId,
    revision,
    createdAt: toIso(createdAt),
    outcome,
    attempts,
    nextAttemptAt: outcome === 'pending' ? toIso(nextAttemptAt) : null,
    last: last === undefined ? null : { at: toIso(last.at), result: last.result },
  }
}

const pageEndOf = (page: readonly Notification[], limit: number): string | null => {
  const last = page.length < limit ? undefined : page.at(-1)
  return last === undefined ? null : `${last.createdAt}.${last.eventId}`
}

const busy = (webhook: string): RfqError =>
  new RfqError('RATE_LIMITED', `webhook ${webhook} is being tested: try again in a second`, {
    retryAfterSeconds: 1,
  })

/**
 * For the operator alone: `GET /webhooks/list` lists the webhooks, `GET /webhooks` their notifications, `POST /webhooks/repeat` has
 * one sent again, and `POST /webhooks/test` sends a message that tells of no transfer.
 */
export const webhookEndpoints = (
  { names, list, listNotifications, repeat, test }: NotificationLog,
  access: LocalAccess,
): readonly Endpoint[] => {
  const onRequest = createLocalAccess(access)
  const tested = new Set<string>()
  return [
    {
      method: 'GET',
      url: '/webhooks/list',
      config: { name: 'webhooks_list' },
      onRequest,
      handler: async (request, reply) => {
        readQuery(queryOf(request.url), [])
        return reply.headers(FRESH_JSON).send(JSON.stringify({ webhooks: list() }))
      },
    },
    {
      method: 'POST',
      url: '/webhooks/test',
      config: { name: 'webhooks_test' },
      onRequest,
      handler: async (request, reply) => {
        const { webhook } = parseInput(TestRequest, parseBody(request.body))
        expectKnown(names, webhook)
        if (tested.has(webhook)) throw busy(webhook)
        tested.add(webhook)
        try {
          return await reply.headers(FRESH_JSON).send(JSON.stringify(await test(webhook)))
        } finally {
          tested.delete(webhook)
        }
      },
    },
    {
      method: 'GET',
      url: '/webhooks',
      config: { name: 'webhooks' },
      onRequest,
      handler: async (request, reply) => {
        const query = readQuery(queryOf(request.url), PARAMETERS)
        const { webhook, outcome, limit, before } = parseInput(ListRequest, query)
        expectKnown(names, webhook)
        const page = await listNotifications(webhook, outcome, limit, before)
        const answer = { notifications: page.map(present), next: pageEndOf(page, limit) }
        return reply.headers(FRESH_JSON).send(JSON.stringify(answer))
      },
    },
    {
      method: 'POST',
      url: '/webhooks/repeat',
      config: { name: 'webhooks_repeat' },
      onRequest,
      handler: async (request, reply) => {
        const { webhook, eventId } = parseInput(RepeatRequest, parseBody(request.body))
        expectKnown(names, webhook)
        if (!(await repeat(webhook, eventId)))
          throw new HttpError(404, 'the webhook has no notification of this eventId that is not pending')
        return reply.headers(FRESH_JSON).send('{}')
      },
    },
  ]
}
