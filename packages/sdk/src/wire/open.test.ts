import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTION, FEE, QUOTE } from '../../test/wire-quote.ts'
import { describeIssue } from '../client/describe-issue.ts'
import { Chain } from './chain.ts'
import { ErrorBody } from './error-body.ts'
import { Quote } from './quote.ts'
import { isStatusOf, isTerminal, Status } from './status.ts'
import { ListedToken } from './token.ts'

const STATUS = {
  quoteId: 'quote_1',
  state: 'PENDING',
  backend: { type: 'its', name: 'ITS' },
  source: null,
  destination: null,
  output: null,
  refund: null,
  details: {},
}

test('parses an unknown backend as "unknown", keeps its members, and is idempotent', () => {
  const sent = { type: 'near', name: 'Near', tracking: { a: 1 }, metadata: { b: [2] }, extra: true }
  const { backend } = Quote.parse({ ...QUOTE, backend: sent })
  const expected = { ...sent, type: 'unknown', wireType: 'near' }
  assert.deepEqual(backend, expected)
  const again = Quote.parse(JSON.parse(JSON.stringify({ ...QUOTE, backend })))
  assert.deepEqual(again.backend, expected)
  const status = Status.parse({ ...STATUS, backend: { type: 'near', name: 'Near' }, details: { stage: 'x' } })
  assert.deepEqual(
    [status.backend, status.details],
    [{ type: 'unknown', name: 'Near', wireType: 'near' }, { stage: 'x' }],
  )
  assert.deepEqual(Status.parse(JSON.parse(JSON.stringify(status))), status)
})

test('an action with an unknown payload leaves the quote usable', () => {
  const payload = { type: 'bitcoin_psbt', psbt: 'cHNidP8=' }
  const { actions } = Quote.parse({ ...QUOTE, actions: [ACTION, { ...ACTION, type: 'sign', payload }] })
  assert.deepEqual(actions[1]?.payload, { type: 'unknown', psbt: 'cHNidP8=', wireType: 'bitcoin_psbt' })
  assert.equal(actions[1]?.type, 'sign')
})

test('accepts unknown values of a list unchanged', () => {
  const fee = { ...FEE, paymentMethod: 'loyalty_points', quoteTreatment: 'later' }
  const quote = { ...QUOTE, selectionReason: 'greenest', fees: { ...QUOTE.fees, user: fee } }
  const validity = { type: 'while_supplies_last', quoteExpiresAt: '2026-01-01T00:01:00.250Z' }
  const parsed = Quote.parse({ ...quote, validity })
  assert.deepEqual([parsed.selectionReason, parsed.fees.user, parsed.validity], ['greenest', fee, validity])
  const chain = { chainId: 'cosmos:hub', chainLabel: 'Hub', chainType: 'cosmos' }
  assert.equal(Chain.parse({ ...chain, nativeToken: { symbol: 'ATOM', decimals: 6 } }).chainType, 'cosmos')
  const token = { chainId: 'eip155:1', address: '0x1', symbol: 'A', name: 'A', decimals: 6, verified: true }
  assert.deepEqual(ListedToken.parse({ ...token, backends: ['its', 'near'] }).backends, ['its', 'near'])
  assert.equal(Status.parse({ ...STATUS, state: 'SETTLING' }).state, 'SETTLING')
  assert.equal(isTerminal(Status.parse({ ...STATUS, state: 'SETTLING' }).state), false)
  const error = { code: 'FORBIDDEN', message: 'no', details: {} }
  assert.equal(ErrorBody.parse({ error }).error.code, 'FORBIDDEN')
})

test('drops malformed informational members and keeps unknown ones', () => {
  const metadata = {
    dust: 7,
    hubRouted: true,
    refund: { automatic: 'maybe' },
    warnings: null,
    carbon: { kg: 2 },
  }
  const { backend } = Quote.parse({ ...QUOTE, backend: { ...QUOTE.backend, metadata } })
  assert.deepEqual(backend.metadata, { hubRouted: true, carbon: { kg: 2 } })
  const details = { stage: 'awaiting_relay', hops: [{ from: 'a' }], error: 5, overdue: true, note: 'x' }
  const status = Status.parse({ ...STATUS, details })
  assert.deepEqual(status.details, { stage: 'awaiting_relay', overdue: true, note: 'x' })
})

test("the backend's type determines the type of a status", () => {
  const status = Status.parse({ ...STATUS, details: { actionRequired: 'add_gas', hops: [] } })
  assert.deepEqual([isStatusOf(status, 'its'), isStatusOf(status, 'intent')], [true, false])
  const unknownQuote = Status.parse({ ...STATUS, state: 'NOT_FOUND', backend: null })
  assert.equal(isStatusOf(unknownQuote, 'its'), false)
})

const issueOf = (value: unknown): string => {
  const parsed = Quote.safeParse(value)
  assert.ok(!parsed.success, 'the malformed answer was accepted')
  return describeIssue(parsed.error.issues)
}

test('requires the members that the interface promises, and names an absent one', () => {
  const intent = { type: 'intent', name: 'Intent', tracking: {}, metadata: {} }
  assert.equal(issueOf({ ...QUOTE, backend: intent }), '"backend.tracking.swapId": expected string')
  const payload = { ...ACTION.payload, to: 1 }
  assert.equal(
    issueOf({ ...QUOTE, actions: [{ ...ACTION, payload }] }),
    '"actions.0.payload.to": expected string',
  )
  assert.match(
    issueOf({ ...QUOTE, input: { ...QUOTE.input, amount: '01' } }),
    /^"input\.amount": expected text like/,
  )
  assert.match(issueOf({ ...QUOTE, backend: { name: 'x' } }), /^"backend\.type": expected intent or its/)
  assert.equal(issueOf('quotes'), 'the body: expected object')
})
