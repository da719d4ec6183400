import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BackendType, messageIdOf, Quote } from '@openrfq/sdk'
import { addressTopic } from '../chains/evm/abi-words.ts'
import { BACKENDS } from './index.ts'

const HASH = `0x${'ab'.repeat(32)}`
const SENDER = '0x1111111111111111111111111111111111111111'
const CONTRACT = '0x2222222222222222222222222222222222222222'
const OTHER = '0x3333333333333333333333333333333333333333'

const FEE = {
  amount: '0',
  token: { chain: 'eip155:1', symbol: 'ETH', type: 'native' },
  paymentMethod: 'tx_value',
  quoteTreatment: 'outside_quote',
}

/** A quote of the backend whose transfer the sender starts with one call of the contract. */
const quoteOf = (type: string): Quote =>
  Quote.parse({
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: { type, name: type, tracking: { swapId: '0x1' }, metadata: {} },
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: '2026-01-01T00:01:00Z' },
    input: { chain: 'eip155:1', token: OTHER, amount: '1' },
    output: { chain: 'eip155:2', token: OTHER, amount: '1', minimumAmount: '1' },
    fees: { gas: FEE, user: FEE, integrator: null },
    actions: [
      {
        id: 'transfer',
        label: 'Transfer',
        type: 'transaction',
        chain: 'eip155:1',
        payload: { type: 'evm_transaction', from: SENDER, to: CONTRACT, data: '0x', value: '0' },
      },
    ],
  })

test("the SDK finds each backend's message by the event that the backend declares", () => {
  assert.deepEqual(
    BACKENDS.map(({ type }) => type).toSorted(),
    BackendType.options.toSorted(),
    'the SDK rejects quotes of a backend that it does not list',
  )
  const topics = BACKENDS.flatMap(({ messageEvent }) => messageEvent?.topic ?? [])
  for (const { type, messageEvent } of BACKENDS) {
    const caller = messageEvent?.caller === 'sender' ? SENDER : CONTRACT
    const decoys = topics.flatMap((topic) =>
      [SENDER, CONTRACT, OTHER]
        .filter((address) => topic !== messageEvent?.topic || address !== caller)
        .map((address) => ({ topics: [topic, addressTopic(address)] })),
    )
    const own = messageEvent === null ? [] : [{ topics: [messageEvent.topic, addressTopic(caller)] }]
    const found = messageIdOf(quoteOf(type), { transactionHash: HASH, logs: [...decoys, ...own] })
    assert.equal(found, messageEvent === null ? undefined : `${HASH}-${decoys.length}`)
  }
})
