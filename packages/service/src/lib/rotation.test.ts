import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRotation } from './rotation.ts'

const keysOf = (entries: readonly (readonly [number, string])[]): readonly number[] =>
  entries.map(([key]) => key)

test('takes all entries in turn, and begins again', () => {
  const rotation = createRotation<number, string>()
  for (const key of [1, 2, 3, 4, 5]) rotation.add(key, `${key}`)
  assert.deepEqual(keysOf(rotation.take(2)), [1, 2])
  assert.deepEqual(keysOf(rotation.take(2)), [3, 4])
  assert.deepEqual(keysOf(rotation.take(2)), [5, 1])
  assert.deepEqual(keysOf(rotation.take(9)).toSorted(), [1, 2, 3, 4, 5])
  assert.deepEqual(createRotation<number, string>().take(3), [])
})

test('entries that are added or deleted between two turns are reached or left out', () => {
  const rotation = createRotation<number, string>()
  for (const key of [1, 2, 3]) rotation.add(key, 'first')
  rotation.take(1)
  rotation.delete(2)
  rotation.add(4, 'later')
  rotation.add(3, 'ignored')
  assert.deepEqual(rotation.take(2), [
    [3, 'first'],
    [4, 'later'],
  ])
})

test('the oldest entry is the one that was added first, wherever the turn is', () => {
  const rotation = createRotation<number, string>()
  for (const key of [1, 2, 3]) rotation.add(key, `${key}`)
  rotation.take(2)
  assert.deepEqual(rotation.removeOldest(), [1, '1'])
  assert.deepEqual([rotation.size(), rotation.has(1)], [2, false])
  rotation.delete(2)
  rotation.delete(3)
  assert.equal(rotation.removeOldest(), undefined)
})
