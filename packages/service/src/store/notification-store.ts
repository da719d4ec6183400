import type { Instant } from '../core/instant.ts'
import type { Notification, NotificationOutcome } from '../core/notification.ts'

/** What webhooks are told, and what came of it; saved with the transfers' changes by `saveTransfer`. */
export type NotificationStore = {
  /**
   * The pending notifications of a webhook whose next attempt is due, the longest due first. One that comes after a pending
   * notification of the same transfer is not due.
   */
  readonly listDueNotifications: (
    webhook: string,
    now: Instant,
    limit: number,
  ) => Promise<readonly Notification[]>
  /**
   * Keeps every process from attempting a notification until the instant, and returns whether it did: false if it was claimed
   * or ended since it was seen.
   */
  readonly claimNotification: (seen: Notification, until: Instant) => Promise<boolean>
  /** Records an attempt of a pending notification; later notifications of the transfer wait for `nextAttemptAt` as well. */
  readonly endAttempt: (
    attempted: Notification,
    end: {
      readonly outcome: NotificationOutcome
      readonly at: Instant
      readonly result: string
      readonly nextAttemptAt: Instant
    },
  ) => Promise<void>
  /** Notifications of a webhook by their outcome, newest first, after the given one. */
  readonly listNotifications: (
    webhook: string,
    outcome: NotificationOutcome,
    limit: number,
    before?: Pick<Notification, 'createdAt' | 'eventId'>,
  ) => Promise<readonly Notification[]>
  /** Makes an ended notification pending again, due at the instant, and returns whether it did. */
  readonly repeatNotification: (webhook: string, eventId: string, at: Instant) => Promise<boolean>
  /** Deletes the oldest notifications created before the instant, at most 1,000, and returns their number. */
  readonly purgeNotifications: (createdBefore: Instant) => Promise<number>
}
