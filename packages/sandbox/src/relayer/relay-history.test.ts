import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../deployment-types.ts'
import { type Message, newMessage } from './message.ts'
import { createRelayHistory } from './relay-history.ts'

const messageAt = (number: number): Message => {
  const txHash: Hex = `0x${number.toString(16).padStart(64, '0')}`
  return newMessage(
    {
      event: 'ContractCall',
      source: 'a',
      landing: { txHash, blockNumber: BigInt(number), timestampSeconds: number },
      transactionIndex: 0,
      logIndex: 0,
      eventIndex: 3,
      from: '0x',
      contract: '0x',
      sender: '0x',
      destination: 'b',
      destinationAddress: '0x',
      payload: '0x',
      payloadHash: '0x',
    },
    [],
    null,
    0,
  )
}

test('keeps the newest messages and forgets the keys of evicted ones', () => {
  const { messages } = createRelayHistory(2)
  const [first, second, third] = [messageAt(1), messageAt(2), messageAt(3)]
  for (const message of [first, second, third]) messages.put(message)
  assert.equal(messages.get(first.id), undefined)
  assert.deepEqual(messages.find(first.commandId), [])
  assert.deepEqual([...messages.all()], [second, third])
  assert.deepEqual(messages.find(third.call.landing.txHash), [third])
})

test('a finished message is not open, and is open again when a reorg undid its end', () => {
  const { messages } = createRelayHistory(2)
  const message = messageAt(1)
  messages.put(message)
  assert.deepEqual(messages.open(), [message])
  messages.put({ ...message, executed: message.call.landing })
  assert.deepEqual(messages.open(), [])
  messages.put(message)
  assert.deepEqual(messages.open(), [message])
  messages.remove(message.id)
  assert.deepEqual(messages.open(), [])
})
