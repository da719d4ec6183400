import assert from 'node:assert/strict'
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

/** A webhook as the operator sees it; its address may contain a secret, and its host does not. */
type ConfiguredWebhook = {
  readonly name: string
  readonly host: string
  readonly accepted: number
  readonly refused: number
}

/** What came of a message that tells of no transfer. */
type TestOutcome = { readonly isAccepted: boolean; readonly result: string }

/** What an operator sees and does of the notifications that are stored. */
export type NotificationLog = {
  readonly names: readonly string[]
  /** Each webhook with the host that it is sent to, and its attempts since the start. */
  readonly list: () => readonly ConfiguredWebhook[]
  /** Notifications of a webhook by their outcome, newest first, after the given one. */
  readonly listNotifications: Store['listNotifications']
  /** Sends a notification of a webhook once more, and returns whether there is one that is not pending. */
  readonly repeat: (webhook: string, eventId: string) => Promise<boolean>
  /** Sends a message that tells of no transfer to a webhook, and resolves with what came of it. */
  readonly test: (webhook: string) => Promise<TestOutcome>
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
  readonly randomId: () => string
  readonly log: Log
}

/** How long the log of notifications reaches back; what was never sent, for a webhook that is gone, ends with it. */
const RETENTION_MS = 30 * 86_400_000
const PURGE_EVERY_MS = 600_000

/** Creates the webhooks; without any, nothing runs. */
export const createWebhooks = ({ webhooks, store, now, randomId, log }: WebhooksDeps): Webhooks => {
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
    list: () =>
      notifiers.map(({ name, counts }) => ({ name, host: webhooks.get(name)?.url.host ?? '', ...counts() })),
    listNotifications: store.listNotifications,
    test: async (webhook) => {
      const notifier = notifiers.find(({ name }) => name === webhook)
      assert(notifier !== undefined, `no webhook ${webhook}`)
      const { isAccepted, result } = await notifier.test(`msg_test_${randomId()}`)
      return { isAccepted, result }
    },
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
