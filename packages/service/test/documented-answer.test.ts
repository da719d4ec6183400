import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QuoteAnswer, Status } from '@openrfq/sdk'
import { RECORDINGS } from '../src/http/openapi/recordings.ts'
import { assertDocumented } from './documented-answer.ts'

const QUOTE_URL = 'http://127.0.0.1/v1/rfq/quote'
const STATUS_URL = 'http://127.0.0.1/v1/rfq/status?quoteId=quote_1'

const recorded = (name: string): unknown => RECORDINGS.find((one) => one.name === name)?.answer
const QUOTE_ANSWER = QuoteAnswer.parse(recorded('evm'))
const STATUS = Status.parse(recorded('itsDone'))
const [QUOTE] = QUOTE_ANSWER.quotes
const quotes = (changes: object) => ({ quotes: [{ ...QUOTE, ...changes }] })
const status = (details: object) => ({ ...STATUS, backend: { type: 'its', name: 'ITS' }, details })

const complains = (url: string, body: unknown, path: RegExp): void => {
  assert.throws(() => assertDocumented(url, 200, body), path)
}

test('accepts answers that match the schemas, and answers of other endpoints', () => {
  assertDocumented(QUOTE_URL, 200, QUOTE_ANSWER)
  assertDocumented(STATUS_URL, 200, STATUS)
  assertDocumented(
    STATUS_URL,
    200,
    status({ stage: 'awaiting_relay', hops: [], expectedBy: '2026-01-01T00:00:00Z' }),
  )
  assertDocumented('http://127.0.0.1/sandbox', 200, { anything: 1 })
})

test('finds a member that no schema names, also among informational ones', () => {
  const backend = { type: 'its', name: 'ITS', tracking: {}, metadata: {} }
  complains(QUOTE_URL, quotes({ rank: 1 }), /not read as it was sent/)
  complains(
    QUOTE_URL,
    quotes({ backend: { ...backend, metadata: { carbon: 2 } } }),
    /\.quotes\.0\.backend\.metadata\.carbon/,
  )
  const refund = {
    automatic: false,
    address: null,
    chain: null,
    token: null,
    cost: null,
    expectedSeconds: null,
    terms: '',
  }
  const metadata = { refund: { ...refund, more: 1 } }
  complains(QUOTE_URL, quotes({ backend: { ...backend, metadata } }), /metadata\.refund\.more/)
  complains(STATUS_URL, status({ swapId: '0x1' }), /\.details\.swapId/)
})

test('finds a value of another type or outside its list', () => {
  complains(STATUS_URL, status({ hops: [{ from: 1 }] }), /not read as it was sent/)
  complains(STATUS_URL, status({ reasonCode: 'NO_IDEA' }), /\.details\.reasonCode/)
  complains(STATUS_URL, { ...STATUS, state: 'SETTLING' }, /\.state/)
  complains(QUOTE_URL, quotes({ selectionReason: 'greenest' }), /selectionReason/)
  complains(
    QUOTE_URL,
    quotes({ backend: { type: 'near', name: '', tracking: {}, metadata: {} } }),
    /backend|sent/,
  )
})
