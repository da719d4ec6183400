import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { describeEveryStore } from '../../test/every-store.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import type { Notification, TransferNews } from '../core/notification.ts'
import { awaitingDeposit, type Transfer } from '../core/transfer.ts'
import type { Store } from './store.ts'

const NOW = 1_790_000_000_000
const random = (bytes = 10): string => randomBytes(bytes).toString('hex')

const started = (): Transfer => {
  const [quote] = testAnswer(NOW, BigInt(`0x${random()}`), 1)
  assert(quote !== undefined)
  return { ...awaitingDeposit(quote.quoteId, ''), revision: 1, state: 'PENDING' }
}

const newsFor = (createdAt: number, ...webhooks: readonly [string, ...string[]]): TransferNews => ({
  eventId: `msg_${random(12)}`,
  body: '{"type":"transfer.changed","text":"ü \\u0000"}',
  createdAt,
  webhooks,
})

const idsOf = (notifications: readonly Notification[]): readonly string[] =>
  notifications.map(({ eventId }) => eventId)

/** What every store does with notifications; each call of `open` opens one on the same files. */
const conformance = (open: () => Promise<Store>): void => {
  let store: Store
  before(async () => {
    store = await open()
  })
  after(() => store.close())
  const reopen = async (): Promise<void> => {
    await store.close()
    store = await open()
  }
  const tell = async (transfer: Transfer, news: TransferNews): Promise<Transfer> => {
    assert.equal(await store.saveTransfer(transfer, news), true)
    return { ...transfer, revision: transfer.revision + 1 }
  }
  const onlyDue = async (webhook: string, now: number): Promise<Notification> => {
    const [notification, ...others] = await store.listDueNotifications(webhook, now, 10)
    assert(notification !== undefined && others.length === 0)
    return notification
  }

  test('saves a pending notification for each webhook together with the change, also after reopening', async () => {
    const transfer = started()
    const [one, other] = [random(), random()]
    const news = newsFor(NOW, one, other)
    await tell(transfer, news)
    await reopen()
    for (const webhook of [one, other])
      assert.deepEqual(await store.listDueNotifications(webhook, NOW, 10), [
        {
          webhook,
          eventId: news.eventId,
          quoteId: transfer.quoteId,
          messageId: '',
          revision: 1,
          body: news.body,
          createdAt: NOW,
          outcome: 'pending',
          attempts: 0,
          nextAttemptAt: NOW,
          last: undefined,
        },
      ])
    assert.deepEqual(await store.listDueNotifications(one, NOW - 1, 10), [])
    assert.deepEqual(await store.listDueNotifications(random(), NOW, 10), [])
  })

  test('saves no notification of a change that it refuses', async () => {
    const transfer = started()
    const webhook = random()
    await tell(transfer, newsFor(NOW, webhook))
    assert.equal(await store.saveTransfer(transfer, newsFor(NOW, webhook)), false)
    assert.equal(await store.saveTransfer({ ...transfer, revision: 3 }, newsFor(NOW, webhook)), false)
    await onlyDue(webhook, NOW)
  })

  test('saves no change whose notifications it cannot save', async () => {
    const webhook = random()
    const news = newsFor(NOW, webhook)
    await tell(started(), news)
    const other = started()
    await Promise.allSettled([store.saveTransfer(other, news)])
    assert.equal(await store.findTransfer(other.quoteId, ''), undefined)
    assert.equal(await store.saveTransfer(other), true)
  })

  test('of one transfer only the first pending notification is due, the longest due transfer first', async () => {
    const webhook = random()
    const [early, late] = [newsFor(NOW, webhook), newsFor(NOW + 5, webhook)]
    const second = newsFor(NOW + 1, webhook)
    await tell(started(), late)
    await tell(await tell(started(), early), second)
    const due = await store.listDueNotifications(webhook, NOW + 9, 10)
    assert.deepEqual(idsOf(due), [early.eventId, late.eventId])
    assert.deepEqual(idsOf(await store.listDueNotifications(webhook, NOW + 9, 1)), [early.eventId])
    const [first] = due
    assert(first !== undefined)
    const accepted = { outcome: 'accepted', at: NOW + 9, result: '204', nextAttemptAt: NOW + 9 } as const
    await store.endAttempt(first, accepted)
    assert.deepEqual(idsOf(await store.listDueNotifications(webhook, NOW + 9, 10)), [
      late.eventId,
      second.eventId,
    ])
  })

  test('a notification is claimed once until the instant, and again afterwards', async () => {
    const webhook = random()
    await tell(started(), newsFor(NOW, webhook))
    const seen = await onlyDue(webhook, NOW)
    const claims = await Promise.all([1, 2, 3].map(() => store.claimNotification(seen, NOW + 30)))
    assert.deepEqual(claims.toSorted(), [false, false, true])
    assert.deepEqual(await store.listDueNotifications(webhook, NOW + 29, 10), [])
    await reopen()
    assert.equal(await store.claimNotification(await onlyDue(webhook, NOW + 30), NOW + 60), true)
  })

  test('a failed attempt moves the transfer’s later notifications, also those of changes to come', async () => {
    const webhook = random()
    const transfer = await tell(started(), newsFor(NOW, webhook))
    const next = await tell(transfer, newsFor(NOW + 1, webhook))
    const end = { outcome: 'pending', at: NOW + 3, result: '500', nextAttemptAt: NOW + 100 } as const
    await store.endAttempt(await onlyDue(webhook, NOW + 2), end)
    await tell(next, newsFor(NOW + 4, webhook))
    assert.deepEqual(await store.listDueNotifications(webhook, NOW + 99, 10), [])
    const pending = await store.listNotifications(webhook, 'pending', 10)
    assert.deepEqual(
      pending.map(({ revision, nextAttemptAt }) => [revision, nextAttemptAt]),
      [3, 2, 1].map((revision) => [revision, NOW + 100]),
    )
    const { attempts, last } = await onlyDue(webhook, NOW + 100)
    assert.deepEqual({ attempts, last }, { attempts: 1, last: { at: NOW + 3, result: '500' } })
  })

  test('an abandoned notification lets the next one go, and is repeated on demand, before later ones', async () => {
    const webhook = random()
    const [first, second] = [newsFor(NOW, webhook), newsFor(NOW + 1, webhook)]
    await tell(await tell(started(), first), second)
    const end = { outcome: 'abandoned', at: NOW + 3, result: '500', nextAttemptAt: NOW + 3 } as const
    assert.equal(await store.repeatNotification(webhook, first.eventId, NOW), false)
    await store.endAttempt(await onlyDue(webhook, NOW + 2), end)
    assert.equal((await onlyDue(webhook, NOW + 3)).eventId, second.eventId)
    assert.deepEqual(idsOf(await store.listNotifications(webhook, 'abandoned', 10)), [first.eventId])
    assert.equal(await store.repeatNotification(webhook, first.eventId, NOW + 4), true)
    assert.equal(await store.repeatNotification(random(), first.eventId, NOW + 4), false)
    const repeated = await onlyDue(webhook, NOW + 4)
    assert.deepEqual([repeated.eventId, repeated.attempts], [first.eventId, 0])
  })

  test('an attempt that ends after another process ended the notification changes nothing', async () => {
    const webhook = random()
    const { eventId } = newsFor(NOW, webhook)
    await tell(started(), { ...newsFor(NOW, webhook), eventId })
    const seen = await onlyDue(webhook, NOW)
    await store.endAttempt(seen, { outcome: 'accepted', at: NOW, result: '200', nextAttemptAt: NOW })
    await store.endAttempt(seen, { outcome: 'pending', at: NOW + 1, result: '500', nextAttemptAt: NOW + 9 })
    const [accepted] = await store.listNotifications(webhook, 'accepted', 10)
    assert.deepEqual(accepted?.last, { at: NOW, result: '200' })
    assert.deepEqual(await store.listDueNotifications(webhook, NOW + 99, 10), [])
  })

  test('lists notifications newest first in pages, also of one instant', async () => {
    const webhook = random()
    const news = [0, 0, 0, 1, 2].map((offset) => newsFor(NOW + offset, webhook))
    for (const one of news) await tell(started(), one)
    const seen: Notification[] = []
    for (let page = await store.listNotifications(webhook, 'pending', 2); page.length > 0; ) {
      seen.push(...page)
      page = await store.listNotifications(webhook, 'pending', 2, seen.at(-1))
    }
    const sorted = news.toSorted(
      (one, other) => other.createdAt - one.createdAt || (one.eventId < other.eventId ? 1 : -1),
    )
    assert.deepEqual(
      idsOf(seen),
      sorted.map(({ eventId }) => eventId),
    )
  })

  test('deletes the notifications created before an instant', async () => {
    const webhook = random()
    const kept = newsFor(2000, webhook)
    await tell(started(), newsFor(1999, webhook))
    await tell(started(), kept)
    assert.equal(await store.purgeNotifications(2000), 1)
    assert.equal(await store.purgeNotifications(2000), 0)
    assert.deepEqual(idsOf(await store.listDueNotifications(webhook, NOW, 10)), [kept.eventId])
    assert.equal(await store.purgeNotifications(2001), 1)
  })
}

describeEveryStore(conformance)
