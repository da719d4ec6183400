import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize } from './memoize.ts'

test('computes a result once, and again when too many others were asked for since', () => {
  const computed: number[] = []
  const double = memoize(4, (value: number) => {
    computed.push(value)
    return value * 2
  })
  assert.deepEqual([double(1), double(1), double(1)], [2, 2, 2])
  assert.deepEqual(computed, [1])
  for (let value = 2; value < 12; value += 1) double(value)
  assert.equal(double(1), 2)
  assert.deepEqual(
    computed.filter((value) => value === 1),
    [1, 1],
  )
})

test('remembers neither undefined nor an error', () => {
  let calls = 0
  const odd = memoize(10, (text: string) => {
    calls += 1
    if (text === 'bad') throw new RangeError('bad')
    return text === 'none' ? undefined : text
  })
  for (const _ of [1, 2]) {
    assert.equal(odd('none'), undefined)
    assert.throws(() => odd('bad'), RangeError)
  }
  assert.equal(calls, 4)
})
