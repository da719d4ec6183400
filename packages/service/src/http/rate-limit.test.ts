import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BURST_REQUESTS, createRateLimit } from './rate-limit.ts'

const limitAt = () => {
  let time = 0
  const limit = createRateLimit(() => time)
  return (key: string, now: number) => {
    time = now
    return limit(key)
  }
}

test('allows a burst of 500, refuses the next, and says when to come back', () => {
  const limit = limitAt()
  const burst = Array.from({ length: BURST_REQUESTS }, () => limit('a', 0))
  assert.ok(burst.every(({ allowed }) => allowed))
  assert.equal(burst.at(-1)?.remaining, 0)
  assert.deepEqual(limit('a', 0), { allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 10 })
  assert.equal(limit('b', 0).allowed, true)
})

test('regains 50 requests a second, at most the burst', () => {
  const limit = limitAt()
  for (let count = 0; count < BURST_REQUESTS; count += 1) limit('a', 0)
  assert.equal(limit('a', 19).allowed, false)
  assert.equal(limit('a', 1_019).remaining, 49)
  assert.equal(limit('a', 3_600_000).remaining, BURST_REQUESTS - 1)
})

test('a clock that steps back takes and gives nothing', () => {
  const limit = limitAt()
  assert.equal(limit('a', 10_000).remaining, 499)
  assert.equal(limit('a', 0).remaining, 498)
  assert.equal(limit('a', 10_000).remaining, 497)
})

test('a client keeps its bucket while the table turns over', () => {
  const limit = limitAt()
  for (let count = 0; count < BURST_REQUESTS; count += 1) limit('a', 9_999)
  assert.equal(limit('a', 10_001).allowed, false)
})

test('stays small under a million addresses', () => {
  const limit = limitAt()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 1_000_000; count += 1) limit(`client-${count}`, 0)
  assert.ok(process.memoryUsage().heapUsed - before < 150e6)
})
