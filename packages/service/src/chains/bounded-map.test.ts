import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedMap } from './bounded-map.ts'

test('remembers what was set last and forgets what was not read for a while', () => {
  const map = boundedMap<number, string>(10)
  for (let key = 0; key < 1_000; key += 1) {
    map.set(key, `${key}`)
    assert.equal(map.get(0), '0')
  }
  const kept = Array.from({ length: 1_000 }, (_, key) => key).filter((key) => map.get(key) !== undefined)
  assert.ok(kept.length <= 10, `${kept.length} entries`)
  assert.ok(kept.includes(999))
})

test('a new value replaces the old one wherever it stands', () => {
  const map = boundedMap<string, number>(4)
  map.set('one', 1)
  map.set('two', 2)
  map.set('three', 3)
  map.set('one', 11)
  assert.equal(map.get('one'), 11)
  assert.equal(map.get('none'), undefined)
})
