import type { Instant } from '../core/instant.ts'
import { type Lifecycle, together } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import type { Store } from '../store/store.ts'
import { createNotifier, type NotifierDeps } from './notifier.ts'
import type { Webhook } from './webhook.ts'

/** How many attempts of a webhook had an outcome. */
type AttemptCount = {
  readonly labels: { readonly webhook: string; readonly outcome: 'accepted' | 'refused' }
  readonly count: number
}

/** What an operator sees and does of the notifications that are stored. */
export type NotificationLog = {
  readonly names: readonly string[]
  /** Notifications of a webhook by their outcome, newest first, after the given one. */
  readonly list: Store['listNotifications']
  /** Sends a notification of a webhook once more, and returns whether there is one that is not pending. */
  readonly repeat: (webhook: string, eventId: string) => Promise<boolean>
}

/** The operator's webhooks. */
export type Webhooks = Lifecycle &
  NotificationLog & {
    /** The time of news; a sandbox's clock does not move it, because receivers compare it with theirs. */
    readonly now: () => Instant
    /** Tells at once what was just saved. */
    readonly wake: () => void
    /** Attempts since the start. */
    readonly attempts: () => readonly AttemptCount[]
  }

export type WebhooksDeps = {
  readonly webhooks: ReadonlyMap<string, Webhook>
  readonly store: NotifierDeps['store'] &
    Pick<Store, 'listNotifications' | 'repeatNotification' | 'purgeNotifications'>
  readonly now: () => Instant
  readonly log: Log
}

/** How long the log of notifications reaches back; what was never sent, for a webhook that is gone, ends with it. */
const RETENTION_MS = 30 * 86_400_000
const PURGE_EVERY_MS = 600_000

/** Creates the webhooks; without any, nothing runs. */
export const createWebhooks = ({ webhooks, store, now, log }: WebhooksDeps): Webhooks => {
  const notifiers = [...webhooks].map(([name, webhook]) => ({
    name,
    ...createNotifier({ store, name, webhook, now, log }),
  }))
  const purges = createPoller({
    name: 'notification_purge',
    periodMs: PURGE_EVERY_MS,
    run: () => store.purgeNotifications(now() - RETENTION_MS),
    log,
  })
  const wake = (): void => {
    for (const notifier of notifiers) notifier.wake()
  }
  return {
    ...together(notifiers.length === 0 ? [] : [...notifiers, purges]),
    names: [...webhooks.keys()],
    now,
    wake,
    list: store.listNotifications,
    repeat: async (webhook, eventId) => {
      const isRepeated = await store.repeatNotification(webhook, eventId, now())
      if (isRepeated) wake()
      return isRepeated
    },
    attempts: () =>
      notifiers.flatMap(({ name: webhook, counts }) => [
        { labels: { webhook, outcome: 'accepted' }, count: counts().accepted },
        { labels: { webhook, outcome: 'refused' }, count: counts().refused },
      ]),
  }
}
