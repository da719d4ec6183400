import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConditions } from './conditions.ts'

test('a condition begins and ends once for each key, and can begin again', () => {
  const { begin, end } = createConditions<string>()
  assert.equal(end('one'), false)
  assert.deepEqual([begin('one'), begin('one'), begin('other')], [true, false, true])
  assert.deepEqual([end('one'), end('one'), begin('one')], [true, false, true])
})
