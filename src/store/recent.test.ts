import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recent } from './recent.ts'

test('forgets what was unused longest and never holds more than its capacity', () => {
  const memory = recent<string, number>(2)
  memory.set('a', 1)
  memory.set('b', 2)
  assert.equal(memory.get('a'), 1)
  memory.set('c', 3)
  assert.equal(memory.get('b'), undefined)
  assert.equal(memory.get('a'), 1)
  memory.delete('a')
  assert.equal(memory.get('a'), undefined)
  memory.clear()
  assert.equal(memory.get('c'), undefined)
})
