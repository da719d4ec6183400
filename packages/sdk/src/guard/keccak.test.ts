import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak256, stringToHex } from 'viem'
import { keccakOfText } from './keccak.ts'

test('keccakOfText equals the Keccak-256 of viem for texts of any length', () => {
  for (let length = 0; length <= 280; length += 7) {
    const text = 'eip155:1 ü'.repeat(30).slice(0, length)
    assert.equal(`0x${keccakOfText(text)}`, keccak256(stringToHex(text)), `${length} characters`)
  }
})
