import { type Instant, toIso } from '../core/instant.ts'
import type { Notification } from '../core/notification.ts'
import { type Backoff, backoffMs } from '../lib/backoff.ts'
import { createHttpClient } from '../lib/http-client.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import { createPublicLookup } from '../lib/public-lookup.ts'
import type { Store } from '../store/store.ts'
import { ATTEMPT_DEADLINE_MS, type Attempt, sendNotification } from './send-notification.ts'
import type { Webhook } from './webhook.ts'

/** Tells one webhook what is stored for it. */
export type Notifier = Lifecycle & {
  /** Looks for due notifications at once. */
  readonly wake: () => void
  /** Sends a message that tells of no transfer, once; it is neither stored nor counted. */
  readonly test: (eventId: string) => Promise<Attempt>
  /** Attempts since the start. */
  readonly counts: () => { readonly accepted: number; readonly refused: number }
}

export type NotifierDeps = {
  readonly store: Pick<Store, 'listDueNotifications' | 'claimNotification' | 'endAttempt'>
  readonly name: string
  readonly webhook: Webhook
  /** The time by which receivers judge signatures. */
  readonly now: () => Instant
  readonly log: Log
}

/** Finds what other processes saved. */
const ROUND_MS = 2_000
/** Attempts at the same time. */
const AT_ONCE = 8
/** Longer than an attempt takes: a process that ended during it leaves the notification to others afterwards. */
const CLAIM_MS = ATTEMPT_DEADLINE_MS + 20_000
/** Three days of attempts in all. */
const PAUSES: Backoff = { firstMs: 5_000, maximumMs: 6 * 3_600_000 }
const MAX_ATTEMPTS = 24

const testBody = (at: Instant): string =>
  JSON.stringify({ type: 'webhook.test', timestamp: toIso(at), data: {} })

/**
 * Creates a notifier. Each notification is sent until the receiver accepts it, after growing pauses, 24 times in three days;
 * those of one transfer one after the other, by revision. It is sent again if the process ends before the answer is stored.
 */
export const createNotifier = (deps: NotifierDeps): Notifier => {
  const { store, name, webhook, now, log } = deps
  const http = createHttpClient(webhook.privateAddresses ? undefined : createPublicLookup())
  const counts = { accepted: 0, refused: 0 }
  let isRefusing = false

  const tell = ({ isAccepted, result }: Attempt): void => {
    counts[isAccepted ? 'accepted' : 'refused'] += 1
    if (isAccepted && isRefusing) log('info', 'webhook_accepts', { webhook: name })
    if (!isAccepted && !isRefusing) log('warn', 'webhook_refuses', { webhook: name, result })
    isRefusing = !isAccepted
  }
  const end = async (attempted: Notification, { isAccepted, result, retryMs }: Attempt): Promise<void> => {
    const at = now()
    const attempts = attempted.attempts + 1
    if (isAccepted || attempts >= MAX_ATTEMPTS) {
      const outcome = isAccepted ? 'accepted' : 'abandoned'
      await store.endAttempt(attempted, { outcome, at, result, nextAttemptAt: at })
      if (isAccepted) return
      const { eventId, quoteId, revision } = attempted
      log('warn', 'notification_abandoned', { webhook: name, eventId, quoteId, revision, result })
      return
    }
    const pauseMs = Math.max(backoffMs(PAUSES, attempts), Math.min(retryMs, PAUSES.maximumMs))
    await store.endAttempt(attempted, { outcome: 'pending', at, result, nextAttemptAt: at + pauseMs })
  }
  const attempt = async (due: Notification): Promise<void> => {
    const at = now()
    if (!(await store.claimNotification(due, at + CLAIM_MS))) return
    const done = await sendNotification(http, webhook, due, at)
    tell(done)
    await end(due, done)
  }
  const { start, stop, wake } = createPoller({
    name: 'webhook_round',
    periodMs: ROUND_MS,
    fields: { webhook: name },
    run: async () => {
      const due = await store.listDueNotifications(name, now(), AT_ONCE)
      const ended = await Promise.allSettled(due.map(attempt))
      const failed = ended.find((outcome) => outcome.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      // There may be more, also the next ones of these transfers.
      if (due.length > 0) wake()
    },
    log,
  })
  return {
    start,
    stop: async () => {
      http.close()
      await stop()
    },
    wake,
    test: (eventId) => sendNotification(http, webhook, { eventId, body: testBody(now()) }, now()),
    counts: () => counts,
  }
}
