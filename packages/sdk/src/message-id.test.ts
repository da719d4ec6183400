import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEventSelector } from 'viem'
import { messageIdOf, namedBy } from './message-id.ts'

const HASH = `0x${'Ab'.repeat(32)}`
const CALLER = '0xAbCdEf0123456789012345678901234567890123'
const CALLER_TOPIC = `0x${'0'.repeat(24)}${CALLER.slice(2).toLowerCase()}`
const OTHER_TOPIC = `0x${'0'.repeat(63)}1`
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const CONTRACT_CALL = toEventSelector('ContractCall(address,string,string,bytes32,bytes)')
const CALL_WITH_TOKEN = '0x7e50569d26be643bda7757722291ec66b1be66d8283474ae3fab5a98f878a7a2'
const TOKEN_SENT = toEventSelector('TokenSent(address,string,string,string,uint256)')

const receipt = (...topics: readonly (readonly string[])[]) => ({
  transactionHash: HASH,
  logs: topics.map((of) => ({ topics: of })),
})

test('a message id is the transaction hash and the position of the gateway event in the receipt', () => {
  const its = receipt([TRANSFER, CALLER_TOPIC], [TRANSFER], [CONTRACT_CALL, CALLER_TOPIC, OTHER_TOPIC])
  assert.equal(messageIdOf('its', its, CALLER), `${HASH.toLowerCase()}-2`)
  const gateway = receipt([TOKEN_SENT, CALLER_TOPIC], [TRANSFER])
  assert.equal(messageIdOf('gateway', gateway, CALLER), `${HASH.toLowerCase()}-0`)
  const express = receipt([TRANSFER], [CALL_WITH_TOKEN, CALLER_TOPIC])
  assert.equal(messageIdOf('gateway-express', express, CALLER), `${HASH.toLowerCase()}-1`)
})

test("an event of somebody else's call is passed over", () => {
  const two = receipt([CONTRACT_CALL, OTHER_TOPIC], [CONTRACT_CALL, CALLER_TOPIC])
  assert.equal(messageIdOf('its', two, CALLER), `${HASH.toLowerCase()}-1`)
})

test('a receipt without the event has no message id', () => {
  assert.equal(messageIdOf('gateway', receipt([CONTRACT_CALL, CALLER_TOPIC], [TRANSFER]), CALLER), undefined)
  assert.equal(messageIdOf('gateway', receipt([]), CALLER), undefined)
})

test('its, gateway and gateway-express are named by an event of their own, an intent by its quote', () => {
  assert.deepEqual((['intent', 'its', 'gateway', 'gateway-express'] as const).map(namedBy), [
    'quote',
    'event',
    'event',
    'event',
  ])
})
