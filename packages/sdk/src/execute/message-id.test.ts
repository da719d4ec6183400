import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEventSelector } from 'viem'
import { Quote } from '../wire/quote.ts'
import { messageIdOf } from './message-id.ts'

const HASH = `0x${'Ab'.repeat(32)}`
const CONTRACT = '0xAbCdEf0123456789012345678901234567890123'
const USER = '0x1111111111111111111111111111111111111111'
const topicOf = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2).toLowerCase()}`
const OTHER_TOPIC = `0x${'0'.repeat(63)}1`
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const CONTRACT_CALL = toEventSelector('ContractCall(address,string,string,bytes32,bytes)')
const CALL_WITH_TOKEN = toEventSelector(
  'ContractCallWithToken(address,string,string,bytes32,bytes,string,uint256)',
)

const receipt = (...topics: readonly (readonly string[])[]) => ({
  transactionHash: HASH,
  logs: topics.map((of) => ({ topics: of })),
})

const quoteOf = (type: string): Quote => {
  const fee = {
    amount: '0',
    token: { chain: 'eip155:1', symbol: 'ETH', type: 'native' },
    paymentMethod: 'tx_value',
    quoteTreatment: 'outside_quote',
  }
  return Quote.parse({
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: { type, name: type, tracking: { swapId: '0x1' }, metadata: {} },
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: '2026-01-01T00:01:00Z' },
    input: { chain: 'eip155:1', token: '0xa', amount: '1' },
    output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: [
      {
        id: 'transfer',
        label: 'Transfer',
        type: 'transaction',
        chain: 'eip155:1',
        payload: { type: 'evm_transaction', from: USER, to: CONTRACT, data: '0x', value: '0' },
      },
    ],
  })
}

const at = (position: number): string => `${HASH.toLowerCase()}-${position}`

test("a message id is the transaction hash and the gateway event's position in the receipt", () => {
  const its = receipt(
    [TRANSFER, topicOf(CONTRACT)],
    [TRANSFER],
    [CONTRACT_CALL, topicOf(CONTRACT), OTHER_TOPIC],
  )
  assert.equal(messageIdOf(quoteOf('its'), its), at(2))
  const routed = receipt([TRANSFER], [CALL_WITH_TOKEN, topicOf(CONTRACT)])
  for (const backend of ['gateway', 'gateway-express'])
    assert.equal(messageIdOf(quoteOf(backend), routed), at(1))
})

test('ignores a gateway event of another caller', () => {
  const two = receipt([CONTRACT_CALL, OTHER_TOPIC], [CONTRACT_CALL, topicOf(CONTRACT)])
  assert.equal(messageIdOf(quoteOf('its'), two), at(1))
  assert.equal(messageIdOf(quoteOf('gateway'), receipt([CALL_WITH_TOKEN, topicOf(USER)])), undefined)
})

test('a receipt without the event has no message id', () => {
  const others = receipt([CONTRACT_CALL, topicOf(USER)], [TRANSFER])
  assert.equal(messageIdOf(quoteOf('gateway'), others), undefined)
  assert.equal(messageIdOf(quoteOf('gateway'), receipt([])), undefined)
})

test('an intent and an unknown backend have no message id', () => {
  const calls = receipt([CONTRACT_CALL, topicOf(CONTRACT)], [CALL_WITH_TOKEN, topicOf(CONTRACT)])
  assert.equal(messageIdOf(quoteOf('intent'), calls), undefined)
  assert.equal(messageIdOf(quoteOf('near'), calls), undefined)
})
