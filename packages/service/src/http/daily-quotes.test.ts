import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import { createDailyQuotes } from './daily-quotes.ts'

const HOUR_MS = 3_600_000

const dailyQuotes = (limit: number) => {
  const clock = { now: 1_000 }
  return { clock, quotes: createDailyQuotes(limit, () => clock.now) }
}

test('a client that had its quotes of a day is refused until its day ends, and others are not', () => {
  const { clock, quotes } = dailyQuotes(10)
  quotes.expectLeft('one')
  quotes.add('one', 6)
  clock.now += HOUR_MS
  quotes.expectLeft('one')
  quotes.add('one', 6)
  quotes.add('other', 9)
  clock.now += HOUR_MS
  assert.throws(
    () => quotes.expectLeft('one'),
    (error: unknown) =>
      error instanceof RfqError &&
      error.code === 'RATE_LIMITED' &&
      error.message.includes('10 quotes') &&
      error.details['retryAfterSeconds'] === 22 * 3_600,
  )
  quotes.expectLeft('other')
  assert.deepEqual([quotes.busiest(), quotes.exhausted()], [12, 1])
  clock.now += 22 * HOUR_MS
  quotes.expectLeft('one')
  assert.deepEqual([quotes.busiest(), quotes.exhausted()], [9, 0])
  quotes.add('one', 1)
  quotes.expectLeft('one')
})

test('the counts of 200,000 clients are bounded, and the last clients are counted', () => {
  const { quotes } = dailyQuotes(1)
  for (let client = 0; client < 200_000; client += 1) quotes.add(String(client), 1)
  quotes.expectLeft('0')
  assert.throws(() => quotes.expectLeft('199999'))
  assert.ok(quotes.exhausted() <= 50_000)
})
