import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTtlCache } from './ttl-cache.ts'

test('a value expires at its maximum age', () => {
  let time = 0
  const cache = createTtlCache<string, number>({ now: () => time, maxAgeMs: 100, limit: 10 })
  cache.set('a', 1)
  time = 99
  assert.equal(cache.get('a'), 1)
  time = 100
  assert.equal(cache.get('a'), undefined)
  assert.equal(cache.get('b'), undefined)
})

test('a deleted value is gone at once', () => {
  const cache = createTtlCache<string, number>({ now: () => 0, maxAgeMs: 100, limit: 10 })
  cache.set('a', 1)
  cache.delete('a')
  assert.equal(cache.get('a'), undefined)
})

test("a read does not extend a value's life", () => {
  let time = 0
  const cache = createTtlCache<string, number>({ now: () => time, maxAgeMs: 100, limit: 10 })
  cache.set('a', 1)
  for (time = 10; time < 100; time += 10) assert.equal(cache.get('a'), 1)
  time = 100
  assert.equal(cache.get('a'), undefined)
})
