import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairShare } from './fair-share.ts'

const shareAt = (start: number) => {
  let time = start
  const take = createFairShare({ most: 60, windowMs: 1_000 }, () => time)
  return {
    takeOne: take,
    takeAll: (key: string): number => {
      let taken = 0
      while (take(key)) taken += 1
      return taken
    },
    setTime: (next: number) => {
      time = next
    },
  }
}

test('one key takes half, and any later key takes half of what is left', () => {
  const { takeAll } = shareAt(0)
  assert.deepEqual([takeAll('one'), takeAll('two'), takeAll('one'), takeAll('three')], [30, 15, 0, 8])
})

test('keys that take in turns get equal shares, and one more key gets as much', () => {
  const take = createFairShare({ most: 60, windowMs: 1_000 }, () => 0)
  const keys = ['1', '2', '3', '4', '5']
  const counts = new Map<string, number>()
  for (let round = 0; round < 100; round += 1)
    for (const key of keys) if (take(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
  assert.deepEqual([...counts.values()], [10, 10, 10, 10, 10])
  assert.equal(take('late'), true)
})

test('a new window frees all, and a key that took much lately takes less, also after the clock went back', () => {
  const { takeAll, setTime } = shareAt(5_000)
  assert.equal(takeAll('one'), 30)
  setTime(5_999)
  assert.equal(takeAll('one'), 0)
  setTime(6_000)
  assert.deepEqual([takeAll('one'), takeAll('two')], [14, 23])
  setTime(1_000)
  assert.equal(takeAll('two'), 17)
  setTime(60_000)
  assert.equal(takeAll('one'), 30)
})

test('twenty keys that always come first and take all they can leave some to a later key', () => {
  const { takeAll, setTime } = shareAt(0)
  for (let window = 1; window <= 60; window += 1) {
    setTime(window * 1_000)
    for (let key = 0; key < 20; key += 1) takeAll(`${key}`)
    if (window > 20) assert.ok(takeAll(`late ${window}`) > 0, `window ${window}`)
  }
})

test('a thousand keys that come in every window leave some to a key that does not', () => {
  const { takeOne, setTime } = shareAt(0)
  for (let window = 1; window <= 60; window += 1) {
    setTime(window * 1_000)
    for (let key = 0; key < 1_000; key += 1) takeOne(`${key}`)
    if (window > 20) assert.ok(takeOne(`late ${window}`), `window ${window}`)
  }
})
