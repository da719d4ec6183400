import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Status } from '@openrfq/sdk'
import { stageText, statusLines } from './show-status.ts'

const status = (changes: object) =>
  Status.parse({
    quoteId: 'quote_1',
    state: 'PENDING',
    backend: { type: 'its', name: 'ITS' },
    source: null,
    destination: null,
    output: null,
    refund: null,
    details: {},
    ...changes,
  })

const lines = (changes: object) => statusLines(status(changes), { chains: [], tokens: [] }, (_, text) => text)

test('shows a refund with its amount and transaction', () => {
  const refund = { chain: 'eip155:1', token: '0xa', amount: '5', txHash: '0x9' }
  assert.ok(lines({ state: 'REFUNDED', refund }).includes('refunded  5 base units of 0xa in 0x9'))
})

test('shows each element of a list in the details on its own line', () => {
  const details = { steps: [{ from: 'a', paid: true }, { from: 'b' }], stage: 'called' }
  assert.deepEqual(lines({ details }).slice(-3), [
    "stage     Axelar's indexer has seen the source transaction (called)",
    'steps     from a, paid true',
    '          from b',
  ])
})

test('summarises stage and problems of a transfer on one line', () => {
  const details = { stage: 'deposit_final', overdue: true, stale: false, hops: [], reasonCode: 'X' }
  assert.equal(stageText(status({ details })), 'The deposit is final (deposit_final), X, overdue')
  assert.equal(stageText(status({})), '')
})
