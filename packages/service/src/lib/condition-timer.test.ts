import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConditionTimer } from './condition-timer.ts'

test('measures how long a condition has held without interruption', () => {
  let time = 1_000
  const timer = createConditionTimer<string>(() => time)
  assert.equal(timer.heldMs('a', true), 0)
  time = 1_500
  assert.equal(timer.heldMs('a', true), 500)
  assert.equal(timer.heldMs('b', true), 0)
  assert.equal(timer.heldMs('a', false), 0)
  time = 2_000
  assert.equal(timer.heldMs('a', true), 0)
  assert.equal(timer.heldMs('b', true), 500)
})

test('drops conditions of keys that are no longer wanted', () => {
  let time = 0
  const timer = createConditionTimer<string>(() => time)
  timer.heldMs('a', true)
  timer.heldMs('b', true)
  timer.keep((key) => key === 'b')
  time = 100
  assert.deepEqual([timer.heldMs('a', true), timer.heldMs('b', true)], [0, 100])
})
