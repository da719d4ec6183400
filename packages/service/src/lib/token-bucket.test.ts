import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTokenBucket } from './token-bucket.ts'

test('gives its burst at once, then what it regains', () => {
  let time = 0
  const bucket = createTokenBucket({ burst: 2, perSecond: 10 }, () => time)
  const take = (): boolean => bucket.take()
  assert.deepEqual([take(), take(), take()], [true, true, false])
  time = 99
  assert.equal(take(), false)
  time = 100
  assert.deepEqual([take(), take()], [true, false])
  time = 1_000_000
  assert.deepEqual([take(), take(), take()], [true, true, false])
})

test('regains what it owes before it gives again', () => {
  let time = 0
  const bucket = createTokenBucket({ burst: 2, perSecond: 10 }, () => time)
  bucket.spend(5)
  assert.deepEqual([bucket.left(), bucket.take()], [-3, false])
  time = 300
  assert.equal(bucket.take(), false)
  time = 400
  assert.deepEqual([bucket.left(), bucket.take(), bucket.left()], [1, true, 0])
  time = 1_000_000
  assert.equal(bucket.left(), 2)
})

test('never gives more than its burst and its regain over real time, however the clock jumps', () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 200 }), (jumps) => {
      let time = 0
      let latest = 0
      let taken = 0
      const bucket = createTokenBucket({ burst: 3, perSecond: 2 }, () => time)
      for (const jump of jumps) {
        time += jump
        latest = Math.max(latest, time)
        if (bucket.take()) taken += 1
        assert.ok(taken <= 3 + (latest * 2) / 1000 + 1e-6)
      }
    }),
  ))
