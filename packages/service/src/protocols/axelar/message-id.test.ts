import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMessageId, parseEvmMessageId } from './message-id.ts'

const hash = `0x${'Ab'.repeat(32)}`

test('reads an EVM message id without regard to the case of its hash', () => {
  assert.deepEqual(parseEvmMessageId(`${hash}-3`), { txHash: hash.toLowerCase(), logPosition: 3 })
  assert.deepEqual(parseEvmMessageId(`${hash.toUpperCase()}-0`), {
    txHash: hash.toLowerCase(),
    logPosition: 0,
  })
})

test('refuses every other form', () => {
  for (const text of [
    '',
    hash,
    `${hash}-`,
    `${hash}-01`,
    `${hash}--1`,
    `${hash}-1-1`,
    `${hash}1-1`,
    `${hash}-x`,
  ])
    assert.equal(parseEvmMessageId(text), undefined, text)
  assert.equal(parseEvmMessageId(`${hash}-9999999999`), undefined)
})

test('knows the form of every family', () => {
  const solana = `${'5'.repeat(88)}-2.1`
  assert.ok(isMessageId('evm', `${hash}-1`))
  assert.ok(isMessageId('stellar', `${hash}-1`))
  assert.ok(isMessageId('solana', solana))
  assert.ok(!isMessageId('evm', solana))
  assert.ok(!isMessageId('solana', `${hash}-1`))
  assert.ok(!isMessageId('solana', `${'5'.repeat(88)}-0.1`))
})
