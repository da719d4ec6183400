import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concat, keccak256, toBytes, toHex } from 'viem'
import { commandIdOf } from './command-id.ts'

const MESSAGE = `0x${'ab'.repeat(32)}-17`

test("a command id is the hash of the message id and the chain's number without leading zeros", () => {
  assert.equal(commandIdOf(MESSAGE, 43_114n), keccak256(concat([toBytes(MESSAGE), toBytes('0xa86a')])))
  assert.equal(commandIdOf(MESSAGE, 1n), keccak256(concat([toHex(MESSAGE), '0x01'])))
  assert.notEqual(commandIdOf(MESSAGE, 10n), commandIdOf(MESSAGE, 56n))
})
