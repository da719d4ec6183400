import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { sendRaw } from '../../test/raw-request.ts'
import { startTableServer } from '../../test/table-server.ts'
import { createTableUseCases } from '../../test/table-use-cases.ts'
import { reservePort } from '../app/reserve-port.ts'
import { createMetricsServer } from './metrics-server.ts'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer({
    extraEndpoints: [
      { method: 'POST', path: '/extra', handle: async (body) => ({ echo: body }) },
      { method: 'GET', path: '/extra', handle: async () => undefined },
    ],
  })
})
after(() => server.close())
const { get, post } = createAsker(() => server.url)

test("every answer has a request id, the client's own if it is well-formed", async () => {
  assert.match((await get('/nowhere')).headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
  const chosen = await get('/v1/rfq/chains', { 'x-request-id': 'my-id_1' })
  assert.equal(chosen.headers.get('x-request-id'), 'my-id_1')
  const refused = await get('/v1/rfq/chains', { 'x-request-id': 'a b' })
  assert.match(refused.headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
})

test('browsers of any origin may call, and read limits and request ids', async () => {
  const preflight = await fetch(`${server.url}/v1/rfq/quote`, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/)
  assert.equal(preflight.headers.get('access-control-allow-headers'), '*')
  const exposed = (await get('/v1/rfq/chains')).headers.get('access-control-expose-headers') ?? ''
  for (const name of ['date', 'x-request-id', 'ratelimit-remaining', 'retry-after'])
    assert.ok(exposed.includes(name))
})

test('answers 404 to unknown paths and 405 with Allow to wrong methods, with the error body', async () => {
  for (const path of [
    '/nowhere',
    '/v1/rfq/quotes',
    '/v1/rfq/chains/',
    '/v2/rfq/chains',
    '//',
    '/%',
    '/__proto__',
  ]) {
    await assertError(await get(path), 404, 'INVALID_REQUEST')
  }
  const wrong = await fetch(`${server.url}/v1/rfq/chains`, { method: 'DELETE' })
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS')
  await assertError(wrong, 405, 'INVALID_REQUEST')
  await assertError(await get('/v1/rfq/quote'), 405, 'INVALID_REQUEST')
})

test('HEAD answers the headers of GET', async () => {
  const head = await fetch(`${server.url}/v1/rfq/chains`, { method: 'HEAD' })
  const full = await get('/v1/rfq/chains', { 'accept-encoding': 'identity' })
  assert.equal(head.status, 200)
  assert.equal(Number(head.headers.get('content-length')), (await full.arrayBuffer()).byteLength)
})

test('answers an unexpected error with a 500 without details, and logs it once with the request id', async () => {
  const faulty = await startTableServer({
    useCases: {
      ...createTableUseCases(),
      getStatus: () => Promise.reject(new Error('password=secret')),
    },
  })
  const response = await fetch(`${faulty.url}/v1/rfq/status?quoteId=a`, {
    headers: { 'x-request-id': 'this-one' },
  })
  const error = await assertError(response, 500, 'INTERNAL_ERROR', /safe to retry/)
  assert.deepEqual(error.details, { requestId: 'this-one' })
  assert.equal(faulty.lines.length, 1)
  assert.match(JSON.stringify(faulty.lines[0]), /this-one/)
  await faulty.close()
})

test('extra endpoints parse bodies as strictly, and answer JSON', async () => {
  assert.deepEqual(await (await post('/extra', '{"a":1}')).json(), { echo: { a: 1 } })
  assert.deepEqual(await (await get('/extra')).json(), {})
  await assertError(await post('/extra', '{"a":1,"a":1}'), 400, 'INVALID_REQUEST')
  await assertError(await post('/extra', '{}', { 'content-type': 'text/plain' }), 400, 'INVALID_REQUEST')
})

test('serves health, readiness and metrics to operators', async () => {
  assert.deepEqual(await (await get('/healthz')).json(), { status: 'ok' })
  assert.deepEqual(await (await get('/readyz')).json(), {
    status: 'ready',
    missing: [],
    degraded: [],
    since: {},
  })
  const metrics = await (await get('/metrics')).text()
  assert.ok(metrics.includes(`openrfq_http_request_seconds_count{endpoint="/healthz",status="200"} 1`))
  assert.ok(metrics.includes('openrfq_http_in_flight_requests 1'))
  const lame = await startTableServer({
    useCases: {
      ...createTableUseCases(),
      readiness: async () => ({
        ready: false,
        missing: ['store'],
        degraded: ['solver one'],
        since: new Map([
          ['store', 0],
          ['solver one', 1_000],
        ]),
      }),
    },
  })
  const response = await fetch(`${lame.url}/readyz`)
  assert.equal(response.status, 503)
  assert.deepEqual(await response.json(), {
    status: 'not_ready',
    missing: ['store'],
    degraded: ['solver one'],
    since: { store: '1970-01-01T00:00:00Z', 'solver one': '1970-01-01T00:00:01Z' },
  })
  await lame.close()
})

test('serves the documentation under a policy that lets it load nothing', async () => {
  const page = await get('/docs')
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal((await get('/')).headers.get('location'), '/docs')
  assert.equal((await get('/openapi.json')).headers.get('content-type'), 'application/json; charset=utf-8')
})

test('sandbox controls answer hosts and origins of this machine alone, and those that are allowed', async () => {
  const open = await startTableServer({
    extraEndpoints: [{ method: 'GET', path: '/extra', handle: async () => undefined }],
    localAccess: { hosts: new Set(['box.example']), origins: new Set(['https://app.example']) },
  })
  const ask = (headers: Readonly<Record<string, string>>): Promise<string> => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return sendRaw(open.port, ['GET /extra HTTP/1.1', ...lines, 'connection: close', '', ''].join('\r\n'))
  }
  try {
    for (const host of [
      '127.0.0.1:8080',
      'localhost',
      'a.localhost:1',
      '[::1]:8080',
      'box.example',
      'BOX.example:8080',
    ])
      assert.match(await ask({ host }), /^HTTP\/1.1 200 /, host)
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
      '::1',
      '',
    ])
      assert.match(await ask({ host }), /^HTTP\/1.1 40[03] /, host)
    for (const origin of ['http://localhost:5173', 'https://app.example']) {
      const answer = await ask({ host: 'localhost', origin })
      assert.match(answer, new RegExp(`access-control-allow-origin: ${origin}`))
      assert.match(answer, /^HTTP\/1.1 200 /)
    }
    for (const origin of ['https://evil.example', 'null', 'https://app.example.evil.example']) {
      const answer = await ask({ host: 'localhost', origin })
      assert.match(answer, /^HTTP\/1.1 403 /, origin)
      assert.doesNotMatch(answer, /access-control-allow-origin/)
    }
  } finally {
    await open.close()
  }
})

test('web pages may not read metrics, which can have a port of their own', async () => {
  const answer = await get('/metrics', { origin: 'https://evil.example' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
  const without = await startTableServer({ withMetrics: false })
  const address = await reservePort({ host: '127.0.0.1', port: 0 })
  const { port } = Object(address.address())
  const alone = createMetricsServer({
    address,
    metrics: { text: async () => 'up 1', contentType: 'text/plain', requestAnswered: () => {} },
    webhooks: {
      names: [],
      list: () => [],
      listNotifications: async () => [],
      repeat: async () => false,
      test: async () => ({ isAccepted: false, result: '' }),
    },
    heldDeposits: { list: async () => [], release: async () => false },
    localAccess: { hosts: new Set(), origins: new Set() },
    now: Date.now,
    wallTime: Date.now,
    randomId: randomUUID,
    log: () => {},
  })
  await alone.start()
  try {
    assert.equal((await fetch(`${without.url}/metrics`)).status, 404)
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'up 1')
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/metrics?a=1`)).text(), 'up 1')
    const head = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), '4')
    await assertError(await fetch(`http://127.0.0.1:${port}/readyz`), 404, 'INVALID_REQUEST')
    await assertError(
      await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' }),
      405,
      'INVALID_REQUEST',
    )
    for (const bytes of ['GARBAGE\r\n\r\n', 'GET /metrics HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n'])
      assert.match(await sendRaw(port, bytes), /^HTTP\/1.1 400 .*\{"error":\{"code":"INVALID_REQUEST"/s)
    const described = await fetch(`${without.url}/openapi.json`)
    assert.deepEqual(
      Object.keys(Object(await described.json()).paths).filter(
        (path) => path === '/metrics' || path === '/readyz',
      ),
      ['/readyz'],
    )
    assert.doesNotMatch(await (await fetch(`${without.url}/docs`)).text(), /href="\/metrics"/)
  } finally {
    await alone.stop()
    await without.close()
  }
})
