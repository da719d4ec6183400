import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QuoteAnswer, Status } from '@openrfq/sdk'
import { RECORDINGS } from '../src/http/openapi/recordings.ts'
import { assertDescribed } from './described-answer.ts'

const recorded = (name: string): unknown => RECORDINGS.find((one) => one.name === name)?.answer
const QUOTE_ANSWER = QuoteAnswer.parse(recorded('evm'))
const STATUS = Status.parse(recorded('itsDone'))
const BASE = 'http://127.0.0.1'

test('accepts answers that match openapi.json, and answers of other paths', () => {
  assertDescribed(`${BASE}/v1/rfq/quote`, 'post', 200, QUOTE_ANSWER)
  assertDescribed(`${BASE}/v1/rfq/status?quoteId=1`, 'get', 200, STATUS)
  const error = { code: 'INVALID_REQUEST', message: 'no endpoint', details: {} }
  for (const status of [400, 404, 405]) assertDescribed(`${BASE}/v1/rfq/status`, 'get', status, { error })
  assertDescribed(`${BASE}/readyz`, 'get', 503, { status: 'draining', missing: [], degraded: [], since: {} })
  assertDescribed(`${BASE}/sandbox`, 'get', 200, { anything: 1 })
})

const WRONG: readonly (readonly [name: string, status: number, body: unknown])[] = [
  ['a member that is not described', 200, { ...STATUS, rank: 1 }],
  ['a member of details that is not described', 200, { ...STATUS, details: { carbon: 1 } }],
  ['a value beside its list', 200, { ...STATUS, state: 'SETTLING' }],
  ['a stage beside its list', 200, { ...STATUS, details: { stage: 'soon' } }],
  ['a missing member', 200, { ...STATUS, refund: undefined }],
  ['an amount as a number', 200, { ...STATUS, output: { ...STATUS.output, amount: 1 } }],
  ['an unknown error code', 400, { error: { code: 'FORBIDDEN', message: '', details: {} } }],
  ['an answer under the status of another', 400, STATUS],
  ['a status that is not described', 302, {}],
]
for (const [name, status, body] of WRONG)
  test(`${name} is found`, () => {
    assert.throws(() => assertDescribed(`${BASE}/v1/rfq/status`, 'get', status, body), assert.AssertionError)
  })
