import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransferAnswer } from '@openrfq/sdk'
import { assertComponent } from '../../test/described-answer.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { awaitingDeposit, type Transfer } from '../core/transfer.ts'
import { createTransferNews } from './transfer-news.ts'

const NOW = Date.UTC(2026, 10, 23, 9)
const [quote] = testAnswer(NOW, 7n, 1)
assert.ok(quote)
const recorded = quote

const source = { chain: 'eip155:1', txHash: '0xaa', messageId: '0xaa-0', timestamp: '2026-11-23T09:00:00Z' }
const awaiting = awaitingDeposit(quote.quoteId, '0xaa-0')
const pending: Transfer = {
  ...awaiting,
  revision: 1,
  state: 'PENDING',
  source,
  details: { stage: 'confirming' },
}
const destination = { chain: 'eip155:2', txHash: '0xbb', timestamp: '2026-11-23T09:01:00Z' }
const output = { chain: 'eip155:2', token: '0xcc', amount: '5' }
const done: Transfer = { ...pending, revision: 2, state: 'DONE', destination, output, details: {} }
const tentative: Transfer = { ...done, details: { deliveryFinal: false } }
const reverted: Transfer = { ...done, details: { deliveryFinal: false, deliveryReverted: true } }

const newsBy = (now: number, ...webhooks: readonly string[]) =>
  createTransferNews({ backends: new Map(), webhooks, now: () => now })

test('tells every webhook what the transfer endpoint answers, and the revision', () => {
  const news = newsBy(NOW, 'one', 'other')(recorded, awaiting, pending)
  assert.deepEqual(news?.webhooks, ['one', 'other'])
  assert.equal(news?.createdAt, NOW)
  const body = JSON.parse(news?.body ?? '')
  assertComponent('TransferChanged', body, 'the body')
  const { type, timestamp, data } = body
  assert.deepEqual({ type, timestamp }, { type: 'transfer.changed', timestamp: '2026-11-23T09:00:00Z' })
  const { revision, messageId, ...answer } = data
  assert.deepEqual({ revision, messageId }, { revision: 1, messageId: '0xaa-0' })
  const parsed = TransferAnswer.parse(answer)
  assert.equal(parsed.quote?.quoteId, recorded.quoteId)
  assert.equal(parsed.status.state, 'PENDING')
  assert.deepEqual(parsed.status.source, source)
})

test('a change of state is news, also back to AWAITING_DEPOSIT, and so is a delivery that is final or taken back', () => {
  const newsOf = newsBy(NOW, 'one')
  for (const [known, next] of [
    [awaiting, pending],
    [pending, { ...awaiting, revision: 2 }],
    [pending, done],
    [tentative, done],
    [tentative, reverted],
    [reverted, tentative],
  ] as const)
    assert.notEqual(newsOf(recorded, known, next), undefined)
})

test('a change of other details is no news', () => {
  const next: Transfer = { ...pending, revision: 2, details: { stage: 'relaying', overdue: true } }
  assert.equal(newsBy(NOW, 'one')(recorded, pending, next), undefined)
  assert.equal(newsBy(NOW, 'one')(recorded, awaiting, { ...awaiting, revision: 1 }), undefined)
})

test('without webhooks there is no news', () => {
  assert.equal(newsBy(NOW)(recorded, awaiting, pending), undefined)
})

test('ids differ by transfer, revision and time of the change, and contain no full stop', () => {
  const ids = [
    newsBy(NOW, 'one')(recorded, awaiting, pending),
    newsBy(NOW, 'one')(recorded, pending, done),
    newsBy(NOW, 'one')(recorded, awaiting, { ...pending, messageId: '0xaa-1' }),
    newsBy(NOW + 1, 'one')(recorded, awaiting, pending),
  ].map((news) => news?.eventId ?? '')
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^msg_[A-Za-z0-9_-]{24}$/)
})
