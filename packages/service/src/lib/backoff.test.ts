import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs, withJitter } from './backoff.ts'

test('pauses double with each failure in a row, up to the maximum', () => {
  const bounds = { firstMs: 100, maximumMs: 1_000 }
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 1_000_000].map((failures) => backoffMs(bounds, failures)),
    [100, 100, 200, 400, 800, 1_000, 1_000, 1_000],
  )
})

test('jitter shortens a pause to no less than half of it, and never makes it longer', () => {
  assert.deepEqual(
    [0, 0.5, 0.999].map((drawn) => withJitter(1_000, () => drawn)),
    [500, 750, 999.5],
  )
})
