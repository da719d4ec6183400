import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDateHeader } from './date-header.ts'

test("is the service's time in whole seconds, rounded down, also when its clock is set back", () => {
  let now = Date.parse('2026-11-26T12:00:00.999Z')
  const dateOf = createDateHeader(() => now)
  assert.equal(dateOf(), 'Thu, 26 Nov 2026 12:00:00 GMT')
  now += 1
  assert.equal(dateOf(), 'Thu, 26 Nov 2026 12:00:01 GMT')
  now -= 3_600_000
  assert.equal(dateOf(), 'Thu, 26 Nov 2026 11:00:01 GMT')
})
