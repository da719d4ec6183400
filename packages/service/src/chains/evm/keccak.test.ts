import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keccak256 } from 'viem'
import { keccak } from './keccak.ts'

const agrees = (bytes: Uint8Array): void => assert.deepEqual(keccak(bytes), keccak256(bytes, 'bytes'))

test('hashes like Ethereum at every length around a block', () => {
  for (let length = 0; length <= 280; length += 1) agrees(new Uint8Array(length).fill(length))
})

test('hashes any bytes like Ethereum', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 700 }), agrees), { numRuns: 500 })
})
