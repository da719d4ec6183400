import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterMs } from './retry-after.ts'

test('Retry-After is read as seconds or as a date, and another form is none', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(retryAfterMs('7', now), 7_000)
  assert.equal(retryAfterMs(' 0 ', now), 0)
  assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now), 30_000)
  assert.equal(retryAfterMs('Wed, 31 Dec 2025 23:59:30 GMT', now), 0)
  assert.equal(retryAfterMs('1000000000', now), 1_000_000_000_000)
  assert.equal(retryAfterMs('9'.repeat(400), now), Number.POSITIVE_INFINITY)
  assert.equal(retryAfterMs('Thursday, 01-Jan-26 00:00:30 GMT', now), 30_000)
  assert.equal(retryAfterMs('soon', now), undefined)
  for (const other of ['-1x', '-5', '1e9', '0x10', '1.5', ''])
    assert.equal(retryAfterMs(other, now), undefined, other)
  assert.equal(retryAfterMs(undefined, now), undefined)
})
