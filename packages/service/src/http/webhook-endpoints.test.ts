import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../test/eventually.ts'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { startLocalServer } from '../../test/local-server.ts'
import { sendRaw } from '../../test/raw-request.ts'
import { startTableServer } from '../../test/table-server.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { reservePort } from '../app/reserve-port.ts'
import type { QuoteId } from '../core/quote-id.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { createWebhooks, type Webhooks } from '../webhooks/create-webhooks.ts'
import { Webhook } from '../webhooks/webhook.ts'
import { createMetricsServer } from './metrics-server.ts'

const NOW = Date.UTC(2026, 10, 23, 9)
const directory = mkdtempSync(join(tmpdir(), 'openrfq-webhooks-'))
const told: string[] = []
/** The receiver answers after it. */
let held = Promise.resolve()
let store: Store
let receiver: Awaited<ReturnType<typeof startLocalServer>>
let webhooks: Webhooks
let server: Lifecycle
let port = 0
const { get, post } = createAsker(() => `http://127.0.0.1:${port}`)

before(async () => {
  store = await openSqliteStore({ directory, log: () => {} })
  receiver = await startLocalServer(({ body }, response) => {
    told.push(body)
    void held.then(() => response.writeHead(204).end())
  })
  const secrets = [`whsec_${randomBytes(32).toString('base64')}`]
  const webhook = Webhook.parse({ url: receiver.url, secrets, privateAddresses: true })
  webhooks = createWebhooks({
    webhooks: new Map([['shop', webhook]]),
    store,
    now: () => NOW,
    randomId: randomUUID,
    log: () => {},
  })
  const address = await reservePort({ host: '127.0.0.1', port: 0 })
  port = Object(address.address()).port
  server = createMetricsServer({
    address,
    metrics: { text: async () => 'up 1', contentType: 'text/plain', requestAnswered: () => {} },
    webhooks,
    heldDeposits: { list: async () => [], release: async () => false },
    localAccess: { hosts: new Set(['ops.internal']), origins: new Set() },
    now: Date.now,
    wallTime: Date.now,
    randomId: randomUUID,
    log: () => {},
  })
  await server.start()
})
after(async () => {
  await server.stop()
  await webhooks.stop()
  receiver.stop()
  await store.close()
  rmSync(directory, { recursive: true })
})

const save = async (createdAt: number): Promise<{ quoteId: QuoteId; eventId: string }> => {
  const [quote] = testAnswer(NOW, BigInt(`0x${randomBytes(9).toString('hex')}`), 1)
  assert(quote !== undefined)
  const { quoteId } = quote
  const eventId = `msg_${randomBytes(12).toString('hex')}`
  const news = { eventId, body: JSON.stringify({ eventId }), createdAt, webhooks: ['shop'] as const }
  assert.ok(
    await store.saveTransfer({ ...awaitingDeposit(quoteId, ''), revision: 1, state: 'PENDING' }, news),
  )
  return { quoteId, eventId }
}

const repeat = (webhook: string, eventId: string): Promise<Response> =>
  post('/webhooks/repeat', JSON.stringify({ webhook, eventId }))

test('lists the webhooks without what their addresses may keep secret', async () => {
  const { webhooks: listed } = Object(await (await get('/webhooks/list')).json())
  assert.deepEqual(
    listed.map(({ name, host }: { name: string; host: string }) => [name, host]),
    [['shop', new URL(receiver.url).host]],
  )
})

test('a test message is signed and sent once, tells of no transfer, and is no notification', async () => {
  const before = told.length
  const counts = async (): Promise<unknown> => (await get('/webhooks/list')).json()
  const counted = await counts()
  const answer = await post('/webhooks/test', JSON.stringify({ webhook: 'shop' }))
  assert.deepEqual([answer.status, await answer.json()], [200, { isAccepted: true, result: 'HTTP 204' }])
  const sent = told.slice(before).map((body) => JSON.parse(body))
  assert.deepEqual(sent, [{ type: 'webhook.test', timestamp: '2026-11-23T09:00:00Z', data: {} }])
  assert.deepEqual(await counts(), counted)
  for (const body of ['', '{}', '{"webhook":"other"}', '{"webhook":"shop","url":"http://127.0.0.1/"}'])
    await assertError(await post('/webhooks/test', body), 400, 'INVALID_REQUEST')
})

test('a webhook has one test message at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const before = told.length
  const one = post('/webhooks/test', '{"webhook":"shop"}')
  await until(() => told.length > before)
  await assertError(await post('/webhooks/test', '{"webhook":"shop"}'), 429, 'RATE_LIMITED')
  resolve()
  assert.equal((await one).status, 200)
  assert.equal((await post('/webhooks/test', '{"webhook":"shop"}')).status, 200)
})

test('lists what a webhook was told and what came of it, and has it sent again', async () => {
  const before = told.length
  const { quoteId, eventId } = await save(NOW)
  await assertError(await repeat('shop', eventId), 404, 'INVALID_REQUEST')
  const pending = await get('/webhooks?webhook=shop&outcome=pending')
  const row = { eventId, quoteId, messageId: null, revision: 1, createdAt: '2026-11-23T09:00:00Z' }
  assert.deepEqual(await pending.json(), {
    notifications: [
      { ...row, outcome: 'pending', attempts: 0, nextAttemptAt: '2026-11-23T09:00:00Z', last: null },
    ],
    next: null,
  })
  await webhooks.start()
  const listed = async (): Promise<unknown> => (await get('/webhooks?webhook=shop&outcome=accepted')).json()
  await until(async () => Object(await listed()).notifications.length === 1)
  const last = { at: '2026-11-23T09:00:00Z', result: 'HTTP 204' }
  assert.deepEqual(await listed(), {
    notifications: [{ ...row, outcome: 'accepted', attempts: 1, nextAttemptAt: null, last }],
    next: null,
  })
  const answer = await repeat('shop', eventId)
  assert.equal(answer.status, 200)
  assert.deepEqual(await answer.json(), {})
  await until(async () => Object(await listed()).notifications.length === 1)
  assert.deepEqual(told.slice(before), [JSON.stringify({ eventId }), JSON.stringify({ eventId })])
  await webhooks.stop()
})

test('lists in pages, newest first', async () => {
  const saved = []
  for (let offset = 1; offset <= 5; offset += 1) saved.push(await save(NOW + offset * 1_000))
  const seen: string[] = []
  let path = '/webhooks?webhook=shop&outcome=pending&limit=2'
  for (let pages = 0; pages < 3; pages += 1) {
    const { notifications, next } = Object(await (await get(path)).json())
    seen.push(...notifications.map((one: { eventId: string }) => one.eventId))
    path = `/webhooks?webhook=shop&outcome=pending&limit=2&before=${next}`
    if (next === null) break
  }
  assert.deepEqual(seen, saved.map(({ eventId }) => eventId).reverse())
})

test('answers bad input with an error of the closed list', async () => {
  for (const query of [
    '',
    '?webhook=shop',
    '?webhook=other&outcome=pending',
    '?webhook=shop&outcome=none',
    '?webhook=shop&outcome=pending&limit=0',
    '?webhook=shop&outcome=pending&limit=101',
    '?webhook=shop&outcome=pending&before=x',
    `?webhook=shop&outcome=pending&before=${'9'.repeat(30)}.msg_a`,
    '?webhook=shop&outcome=pending&webhook=shop',
    '?webhook=%ff',
  ])
    await assertError(await get(`/webhooks${query}`), 400, 'INVALID_REQUEST')
  for (const body of [
    '',
    '[]',
    '{}',
    '{"webhook":"shop"}',
    '{"webhook":"shop","eventId":"a","all":true}',
    '{"webhook":"other","eventId":"a"}',
    '{"webhook":1,"eventId":2}',
  ])
    await assertError(await post('/webhooks/repeat', body), 400, 'INVALID_REQUEST')
  for (const eventId of ['', 'msg_', 'msg_\u0000', `msg_${'a'.repeat(65)}`])
    await assertError(await repeat('shop', eventId), 400, 'INVALID_REQUEST')
  await assertError(await repeat('shop', 'msg_a'), 404, 'INVALID_REQUEST')
  await assertError(await get('/webhooks/repeat'), 405, 'INVALID_REQUEST')
})

test('serves neither a host that is not this machine nor a web page of another origin', async () => {
  const { eventId } = await save(NOW)
  const body = JSON.stringify({ webhook: 'shop', eventId })
  const ask = (path: string, headers: string, sent = ''): Promise<string> =>
    sendRaw(
      port,
      `${sent === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${headers}content-length: ${sent.length}\r\ncontent-type: application/json\r\n\r\n${sent}`,
    )
  const list = '/webhooks?webhook=shop&outcome=pending'
  for (const headers of [
    'host: rebound.example\r\n',
    `host: 127.0.0.1\r\norigin: https://evil.example\r\n`,
  ]) {
    assert.match(await ask(list, headers), /^HTTP\/1.1 403 /)
    assert.match(await ask('/webhooks/repeat', headers, body), /^HTTP\/1.1 403 /)
    assert.match(await ask('/webhooks/test', headers, '{"webhook":"shop"}'), /^HTTP\/1.1 403 /)
    assert.match(await ask('/webhooks/list', headers), /^HTTP\/1.1 403 /)
  }
  assert.match(await ask(list, 'host: ops.internal:9464\r\n'), /^HTTP\/1.1 200 /)
})

test('the public port knows no webhooks', async () => {
  const open = await startTableServer()
  try {
    await assertError(
      await fetch(`${open.url}/webhooks?webhook=shop&outcome=pending`),
      404,
      'INVALID_REQUEST',
    )
    await assertError(await fetch(`${open.url}/webhooks/repeat`, { method: 'POST' }), 404, 'INVALID_REQUEST')
  } finally {
    await open.close()
  }
})
