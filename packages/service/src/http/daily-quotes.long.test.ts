import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import { createDailyQuotes } from './daily-quotes.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const dailyQuotes = (limit: number) => {
  const clock = { now: 1_000 }
  const quotes = createDailyQuotes(limit, () => clock.now)
  /** The seconds after which a refused client may return; 0 if it is not refused. */
  const refusedFor = (client: string): unknown => {
    try {
      quotes.expectLeft(client)
      return 0
    } catch (error) {
      assert.ok(error instanceof RfqError)
      assert.equal(error.code, 'RATE_LIMITED')
      assert.ok(error.message.includes(`${limit} quotes`))
      return error.details['retryAfterSeconds']
    }
  }
  return { clock, quotes, refusedFor }
}

test('a client that had its quotes is refused until it regains one, and others are not', () => {
  const { clock, quotes, refusedFor } = dailyQuotes(12)
  assert.equal(refusedFor('one'), 0)
  quotes.add('one', 6)
  quotes.add('one', 7)
  quotes.add('other', 9)
  assert.equal(refusedFor('one'), 4 * 3_600)
  assert.equal(refusedFor('other'), 0)
  assert.deepEqual([quotes.busiest(), quotes.exhausted()], [13, 1])
  clock.now += 4 * HOUR_MS
  assert.equal(refusedFor('one'), 0)
  assert.deepEqual([quotes.busiest(), quotes.exhausted()], [11, 0])
  clock.now += DAY_MS
  assert.deepEqual([quotes.busiest(), quotes.exhausted()], [0, 0])
})

test('an address that asks without pause keeps its neighbours waiting for a second, not for a day', () => {
  const { clock, quotes, refusedFor } = dailyQuotes(500_000)
  quotes.add('nat', 500_000)
  const endsAt = clock.now + HOUR_MS
  let had = 0
  for (; clock.now < endsAt; clock.now += 40) {
    const seconds = refusedFor('nat')
    if (seconds === 0) {
      quotes.add('nat', 3)
      had += 3
    } else assert.equal(seconds, 1)
  }
  assert.ok(Math.abs(had - 500_000 / 24) < 10, String(had))
})

test('no wait is longer than a day', () => {
  const { refusedFor } = dailyQuotes(0)
  assert.equal(refusedFor('one'), 86_400)
  const few = dailyQuotes(1)
  few.quotes.add('one', 50)
  assert.equal(few.refusedFor('one'), 86_400)
})

test('of more than 50,000 clients those that had most are still counted', () => {
  const { clock, quotes, refusedFor } = dailyQuotes(10)
  for (let client = 0; client < 100; client += 1) quotes.add(`much ${client}`, 1_000)
  for (let client = 0; client < 65_536; client += 1) {
    clock.now += 1
    quotes.add(`/64 ${client}`, 1)
  }
  for (let client = 0; client < 100; client += 1) assert.notEqual(refusedFor(`much ${client}`), 0)
  assert.equal(quotes.exhausted(), 100)
})

test('the counts of 200,000 clients are bounded, and the last clients are counted', () => {
  const { quotes, refusedFor } = dailyQuotes(1)
  for (let client = 0; client < 200_000; client += 1) quotes.add(String(client), 1)
  assert.equal(refusedFor('0'), 0)
  assert.equal(refusedFor('199999'), 86_400)
  assert.ok(quotes.exhausted() <= 50_000)
})
