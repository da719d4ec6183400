import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatchSize } from './batch-size.ts'

test('a refused batch leads to smaller ones, and after an hour to one larger attempt', () => {
  let time = 0
  const size = createBatchSize({ maximum: 50, now: () => time })
  assert.equal(size.current(), 50)
  size.refused(50)
  assert.equal(size.current(), 10)
  size.refused(7)
  assert.equal(size.current(), 3)
  time = 3_599_999
  assert.equal(size.current(), 3)
  time = 3_600_000
  assert.equal(size.current(), 10)
  size.refused(10)
  assert.equal(size.current(), 3)
  time = 7_200_000
  assert.equal(size.current(), 10)
  size.taken(2)
  assert.equal(size.current(), 10)
  size.taken(10)
  time = 7_200_001
  assert.equal(size.current(), 10)
})

test('a batch of two that is refused leads to single calls, and an old refusal never enlarges', () => {
  const size = createBatchSize({ maximum: 50, now: () => 0 })
  size.refused(2)
  assert.equal(size.current(), 1)
  size.refused(50)
  assert.equal(size.current(), 1)
})
