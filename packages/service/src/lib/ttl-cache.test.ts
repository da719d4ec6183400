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

test('makes a value once per key until it expires, also an undefined one', () => {
  let time = 0
  let made = 0
  const cache = createTtlCache<string, number | undefined>({ now: () => time, maxAgeMs: 100, limit: 10 })
  const make = (): undefined => {
    made += 1
    return undefined
  }
  cache.getOrSet('a', make)
  cache.getOrSet('a', make)
  assert.equal(made, 1)
  cache.getOrSet('b', make)
  assert.equal(made, 2)
  time = 100
  cache.getOrSet('a', make)
  assert.equal(made, 3)
  cache.delete('a')
  cache.getOrSet('a', make)
  assert.equal(made, 4)
})

test('a read does not extend the life of a value', () => {
  let time = 0
  const cache = createTtlCache<string, number>({ now: () => time, maxAgeMs: 100, limit: 10 })
  cache.set('a', 1)
  for (time = 10; time < 100; time += 10) assert.equal(cache.get('a'), 1)
  time = 100
  assert.equal(cache.get('a'), undefined)
})
