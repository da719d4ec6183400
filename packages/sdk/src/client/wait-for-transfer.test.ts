import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ScriptedAnswer, startScriptedService } from 'openrfq/test/scripted-service.ts'
import type { Status } from '../wire/status.ts'
import { createClient } from './create-client.ts'

const STATUS = {
  quoteId: 'quote_1',
  backend: { type: 'its', name: 'ITS' },
  source: null,
  destination: null,
  output: null,
  refund: null,
  details: {},
} as const

const inState = (state: Status['state'], details: object = {}): ScriptedAnswer => ({
  body: { ...STATUS, state, details },
})

const BROKEN: ScriptedAnswer = {
  status: 500,
  body: { error: { code: 'INTERNAL_ERROR', message: 'down', details: {} } },
}

const serve = async (t: TestContext, answers: readonly ScriptedAnswer[]) => {
  const service = await startScriptedService({ 'GET /v1/rfq/status': answers })
  t.after(service.stop)
  return { client: createClient({ baseUrl: service.url }), asked: service.asked }
}

const QUICK = { quoteId: 'quote_1', pollMs: 5, timeoutMs: 60_000 }

for (const end of ['DONE', 'REFUNDED', 'FAILED', 'REFUND_INITIATED'] as const)
  test(`a wait ends at ${end}`, async (t) => {
    const { client } = await serve(t, [inState('PENDING'), inState(end)])
    const outcome = await client.waitForTransfer(QUICK)
    assert.deepEqual([outcome.ended, outcome.status?.state], ['resolved', end])
  })

test('until "final" continues past REFUND_INITIATED', async (t) => {
  const { client } = await serve(t, [inState('REFUND_INITIATED'), inState('REFUNDED')])
  const outcome = await client.waitForTransfer({ ...QUICK, until: 'final' })
  assert.equal(outcome.status?.state, 'REFUNDED')
})

test('waitForTransfer reports each change once, and sends the message id and source chain', async (t) => {
  const { client, asked } = await serve(t, [
    inState('NOT_FOUND'),
    inState('AWAITING_DEPOSIT'),
    inState('PENDING', { stage: 'confirming' }),
    inState('PENDING', { stage: 'confirming' }),
    inState('PENDING', { stage: 'executing' }),
    inState('DONE'),
  ])
  const seen: string[] = []
  await client.waitForTransfer({
    ...QUICK,
    messageId: '0x1-0',
    sourceChain: 'eip155:1',
    onStatus: ({ state, details }) => seen.push(`${state} ${details['stage'] ?? ''}`.trim()),
  })
  assert.deepEqual(seen, ['NOT_FOUND', 'AWAITING_DEPOSIT', 'PENDING confirming', 'PENDING executing', 'DONE'])
  assert.equal(asked[0]?.line, 'GET /v1/rfq/status?quoteId=quote_1&messageId=0x1-0&sourceChain=eip155%3A1')
})

test('waitForTransfer continues while the service answers errors', async (t) => {
  const { client } = await serve(t, [inState('PENDING'), BROKEN, BROKEN, BROKEN, BROKEN, inState('DONE')])
  const faults: unknown[] = []
  const outcome = await client.waitForTransfer({ ...QUICK, onReadError: (error) => faults.push(error) })
  assert.equal(outcome.status?.state, 'DONE')
  assert.equal(faults.length, 1)
})

test('pauses as long as the service asks for, within its timeout', async (t) => {
  const details = { retryAfterSeconds: 20 }
  const body = { error: { code: 'RATE_LIMITED', message: 'too many', details } }
  const { client, asked } = await serve(t, [
    { status: 429, body, headers: { 'retry-after': '20' } },
    inState('DONE'),
  ])
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise: refused, resolve } = Promise.withResolvers<unknown>()
  const waiting = client.waitForTransfer({ ...QUICK, timeoutMs: 19_999, onReadError: resolve })
  await refused
  t.mock.timers.tick(19_999)
  assert.deepEqual(await waiting, { ended: 'timed_out', status: undefined })
  assert.equal(asked.length, 1)
})

test('rejects when the service rejects the lookup', async (t) => {
  const body = { error: { code: 'INVALID_REQUEST', message: 'messageId', details: {} } }
  const { client } = await serve(t, [{ status: 400, body }])
  await assert.rejects(client.waitForTransfer(QUICK), { code: 'INVALID_REQUEST' })
})

test('returns the last known status at the timeout', async (t) => {
  const { client } = await serve(t, [inState('PENDING')])
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise: seen, resolve } = Promise.withResolvers<Status>()
  const waiting = client.waitForTransfer({ ...QUICK, onStatus: resolve })
  await seen
  t.mock.timers.tick(QUICK.timeoutMs)
  const outcome = await waiting
  assert.deepEqual([outcome.ended, outcome.status?.state], ['timed_out', 'PENDING'])
})

test('rejects when the caller aborts', async (t) => {
  const { client } = await serve(t, [inState('PENDING')])
  const reason = new Error('enough')
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 30)
  await assert.rejects(client.waitForTransfer({ ...QUICK, signal: controller.signal }), reason)
})
