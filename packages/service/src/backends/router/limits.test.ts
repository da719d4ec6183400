import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutRoom } from './limits.ts'

test('the room is what mint limit and holdings leave', () => {
  assert.equal(payoutRoom(0n, 5n, null), null)
  assert.equal(payoutRoom(0n, 5n, 70n), 70n)
  assert.equal(payoutRoom(100n, 30n, null), 70n)
  assert.equal(payoutRoom(100n, 30n, 20n), 20n)
  assert.equal(payoutRoom(100n, 100n, null), 0n)
  assert.equal(payoutRoom(1n, 0n, null), 0n)
})
