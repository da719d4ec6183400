import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sendRaw } from '../../test/raw-request.ts'
import { startTableServer } from '../../test/table-server.ts'
import { CHAINS, createTableUseCases, GOOD_REQUEST, TOKENS } from '../../test/table-use-cases.ts'
import { ErrorBody } from '../core/error.ts'
import { QuoteAnswer } from '../core/quote.ts'
import { Status } from '../core/status.ts'

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

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { headers, redirect: 'manual' })

const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

const quote = (change: Readonly<Record<string, unknown>>): Promise<Response> =>
  post('/v1/rfq/quote', JSON.stringify({ ...GOOD_REQUEST, ...change }))

const assertError = async (
  response: Response,
  status: number,
  code: string,
  message = /./,
): Promise<ErrorBody['error']> => {
  const { error } = ErrorBody.parse(await response.json())
  assert.equal(error.code, code, error.message)
  assert.equal(response.status, status)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(error.message, message)
  return error
}

test('GET /v1/rfq/chains lists the chains', async () => {
  const response = await get('/v1/rfq/chains?anything=%zz')
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { chains: CHAINS })
})

test('GET /v1/rfq/tokens filters by chain, backend and verified', async () => {
  for (const [query, expected] of [
    ['', TOKENS],
    ['?unknown=1&unknown=2', TOKENS],
    ['?chain=eip155:31338', TOKENS.slice(2)],
    ['?chain=eip155%3A31338', TOKENS.slice(2)],
    ['?backend=gateway', TOKENS.filter(({ backends }) => backends.includes('gateway'))],
    ['?backend=intent', []],
    ['?verified=true', TOKENS.filter(({ verified }) => verified)],
    ['?verified=false&chain=eip155:31337', [TOKENS[1]]],
  ] as const) {
    const response = await get(`/v1/rfq/tokens${query}`)
    assert.equal(response.status, 200, query)
    assert.deepEqual(await response.json(), { tokens: expected }, query)
  }
})

test('GET /v1/rfq/tokens refuses malformed filters and unsupported chains', async () => {
  for (const [query, message] of [
    ['chain=', /chain is ""; expected a CAIP-2/],
    ['chain=ethereum', /chain is "ethereum"/],
    ['chain', /chain/],
    ['backend=ITS', /backend is "ITS"; expected one of intent, its/],
    ['backend=', /backend/],
    ['verified=1', /verified is "1"; expected one of true, false/],
    ['verified=TRUE', /verified/],
    ['verified=', /verified/],
    ['verified=true&verified=true', /verified is given twice/],
    ['verified=true&%76erified=true', /verified is given twice/],
    ['chain=%zz', /percent/],
    ['other=%ff', /percent/],
  ] as const) {
    await assertError(await get(`/v1/rfq/tokens?${query}`), 400, 'INVALID_REQUEST', message)
  }
  await assertError(await get('/v1/rfq/tokens?chain=eip155:99'), 422, 'UNSUPPORTED_CHAIN')
  await assertError(await get('/v1/rfq/tokens?chain=eip155:99&verified=x'), 400, 'INVALID_REQUEST')
})

test('chains and tokens carry a strong ETag, and answer 304 to the client that holds them', async () => {
  for (const path of ['/v1/rfq/chains', '/v1/rfq/tokens?verified=true']) {
    const first = await get(path)
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^"[\w-]+"$/)
    assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
    assert.equal(first.headers.get('vary'), 'accept-encoding')
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(path, { 'if-none-match': known })
      assert.equal(again.status, 304)
      assert.equal(again.headers.get('etag'), tag)
      assert.equal(await again.text(), '')
    }
    assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

test('lists are gzipped for clients that want it, under another tag', async () => {
  const ask = (encoding: string): Promise<string> =>
    sendRaw(
      server.port,
      `GET /openapi.json HTTP/1.1\r\nhost: a\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`,
    )
  const [plain, gzipped] = await Promise.all([ask('identity'), ask('br, gzip')])
  const tagOf = (answer: string): string | undefined => /etag: (.*)\r/.exec(answer)?.[1]
  assert.match(gzipped, /content-encoding: gzip/)
  assert.notEqual(tagOf(plain), tagOf(gzipped))
  const bodyOf = (answer: string): Buffer =>
    Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1')
  assert.deepEqual(gunzipSync(bodyOf(gzipped)), bodyOf(plain))
})

test('POST /v1/rfq/quote answers quotes, and never lets them be cached', async () => {
  const response = await quote({})
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const { quotes } = QuoteAnswer.parse(await response.json())
  assert.equal(quotes[0]?.input.amount, GOOD_REQUEST.amount)
})

test('any JSON number is a slippageTolerance; unknown fields are ignored at the top', async () => {
  for (const text of ['0', '-1', '1e400', '-1e400', '50.5', '1e-7', '99999']) {
    const body = JSON.stringify(GOOD_REQUEST).replace('{', `{"slippageTolerance":${text},"unknown":[{}],`)
    assert.equal((await post('/v1/rfq/quote', body)).status, 200, text)
  }
})

test('options take their defaults, and unknown fields inside are refused', async () => {
  for (const options of [{}, { approvalMode: 'EXACT' }, { approvalMode: 'MAX' }]) {
    assert.equal((await quote({ options })).status, 200)
  }
  const error = await assertError(
    await quote({ options: { approvalMode: 'MAX', speed: 1 } }),
    400,
    'INVALID_REQUEST',
    /options.speed is not a known field/,
  )
  assert.equal(error.details['field'], 'options.speed')
  const body = JSON.stringify(GOOD_REQUEST).replace('{', '{"options":{"__proto__":{"approvalMode":"MAX"}},')
  await assertError(await post('/v1/rfq/quote', body), 400, 'INVALID_REQUEST', /options/)
})

test('a bad field is named with its value and what was expected', async () => {
  for (const [change, field, message] of [
    [{ fromChain: undefined }, 'fromChain', /^fromChain is missing; expected a string$/],
    [{ fromChain: 'Ethereum' }, 'fromChain', /^fromChain is "Ethereum"; expected a CAIP-2/],
    [{ toChain: null }, 'toChain', /^toChain is null; expected a string$/],
    [{ toToken: '' }, 'toToken', /^toToken is ""; expected text that is not empty$/],
    [{ fromToken: 'x'.repeat(200) }, 'fromToken', /^fromToken is "x{79}…; expected at most 128 characters$/],
    [{ amount: 1 }, 'amount', /^amount is 1; expected a string$/],
    [{ amount: '0' }, 'amount', /^amount is "0"; expected a positive integer in base units/],
    [{ amount: '01' }, 'amount', /./],
    [{ amount: '-1' }, 'amount', /./],
    [{ amount: '1.5' }, 'amount', /./],
    [{ amount: '1e18' }, 'amount', /./],
    [{ amount: '١' }, 'amount', /./],
    [{ amount: (2n ** 256n).toString() }, 'amount', /expected an amount of at most 2\^256 - 1$/],
    [{ orderType: 'exact_input' }, 'orderType', /expected one of EXACT_INPUT, EXACT_OUTPUT$/],
    [{ slippageTolerance: '50' }, 'slippageTolerance', /^slippageTolerance is "50"; expected a number/],
    [{ slippageTolerance: null }, 'slippageTolerance', /null/],
    [{ options: [] }, 'options', /^options is an array; expected an object$/],
    [{ options: { approvalMode: 'ALL' } }, 'options.approvalMode', /expected one of EXACT, MAX$/],
  ] as const) {
    const error = await assertError(await quote(change), 400, 'INVALID_REQUEST', message)
    assert.equal(error.details['field'], field)
  }
})

test('the body is checked before the tables: a malformed field wins over an unsupported chain', async () => {
  await assertError(await quote({ fromChain: 'eip155:99', amount: 'x' }), 400, 'INVALID_REQUEST')
  await assertError(await quote({ fromChain: 'eip155:99' }), 422, 'UNSUPPORTED_CHAIN')
  await assertError(await quote({ toToken: '0x12' }), 422, 'UNSUPPORTED_TOKEN')
  await assertError(await quote({ toToken: TOKENS[2]?.address }), 422, 'UNSUPPORTED_ROUTE')
  await assertError(await quote({ amount: '1'.repeat(20) }), 422, 'AMOUNT_OUT_OF_RANGE')
})

test('a body that is not one unambiguous JSON object is INVALID_REQUEST', async () => {
  const good = JSON.stringify(GOOD_REQUEST)
  for (const body of ['', '[]', 'null', '"x"', '{', good.replace('{', '{"amount":"2",'), `\ufeff${good}`]) {
    await assertError(await post('/v1/rfq/quote', body), 400, 'INVALID_REQUEST')
  }
})

test('only application/json is read, in UTF-8', async () => {
  const body = JSON.stringify(GOOD_REQUEST)
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ]) {
    assert.equal((await post('/v1/rfq/quote', body, { 'content-type': type })).status, 200, type)
  }
  for (const type of ['text/plain', 'application/json; charset=utf-16', 'application/jsonx', '']) {
    await assertError(await post('/v1/rfq/quote', body, { 'content-type': type }), 400, 'INVALID_REQUEST')
  }
  const gzip = await post('/v1/rfq/quote', body, { 'content-encoding': 'gzip' })
  await assertError(gzip, 400, 'INVALID_REQUEST', /content-encoding/)
})

test('bodies may have 16 KiB; larger ones are refused, however large', async () => {
  const good = JSON.stringify(GOOD_REQUEST)
  const fill = (size: number): string => good.replace('{', `{"x":"${'x'.repeat(size - good.length - 7)}",`)
  assert.equal((await post('/v1/rfq/quote', fill(16_384))).status, 200)
  for (const size of [16_385, 100_000, 900_000]) {
    await assertError(await post('/v1/rfq/quote', fill(size)), 400, 'INVALID_REQUEST', /16384 bytes/)
  }
})

test('GET /v1/rfq/status answers NOT_FOUND with 200 for an unknown quoteId', async () => {
  const response = await get('/v1/rfq/status?quoteId=quote_unknown')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const status = Status.parse(await response.json())
  assert.equal(status.state, 'NOT_FOUND')
  assert.equal(status.quoteId, 'quote_unknown')
})

test('GET /v1/rfq/status knows an answered quote, with and without a message', async () => {
  const { quotes } = QuoteAnswer.parse(await (await quote({})).json())
  const id = quotes[0]?.quoteId
  for (const more of ['', '&messageId=0xab-0&sourceChain=eip155:31337']) {
    const status = Status.parse(await (await get(`/v1/rfq/status?quoteId=${id}${more}`)).json())
    assert.equal(status.state, 'AWAITING_DEPOSIT')
  }
})

test('GET /v1/rfq/status refuses a missing or malformed parameter', async () => {
  for (const query of [
    '',
    '?quoteId=',
    '?quoteId=a%20b',
    `?quoteId=${'a'.repeat(129)}`,
    '?quoteId=a&quoteId=a',
    '?quoteId=a&sourceChain=x',
    '?quoteId=a&sourceChain=',
    '?quoteId=a&messageId=',
    `?quoteId=a&messageId=${'a'.repeat(257)}`,
    '?quoteId=a&messageId=%00',
    '?quoteId=%',
  ]) {
    await assertError(await get(`/v1/rfq/status${query}`), 400, 'INVALID_REQUEST')
  }
})

test('every answer carries a request id, the one the client chose if it is a plain one', async () => {
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
  for (const name of ['x-request-id', 'ratelimit-remaining', 'retry-after']) assert.ok(exposed.includes(name))
})

test('unknown paths answer 404 and wrong methods 405 with Allow, in the error body', async () => {
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

test('HEAD answers the head of GET', async () => {
  const head = await fetch(`${server.url}/v1/rfq/chains`, { method: 'HEAD' })
  const full = await get('/v1/rfq/chains', { 'accept-encoding': 'identity' })
  assert.equal(head.status, 200)
  assert.equal(Number(head.headers.get('content-length')), (await full.arrayBuffer()).byteLength)
})

test('an unexpected fault is a 500 that tells nothing, logged once with the request id', async () => {
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

test('extra endpoints read bodies as strictly, and answer JSON', async () => {
  assert.deepEqual(await (await post('/extra', '{"a":1}')).json(), { echo: { a: 1 } })
  assert.deepEqual(await (await get('/extra')).json(), {})
  await assertError(await post('/extra', '{"a":1,"a":1}'), 400, 'INVALID_REQUEST')
  await assertError(await post('/extra', '{}', { 'content-type': 'text/plain' }), 400, 'INVALID_REQUEST')
})

test('operators see health, readiness and metrics', async () => {
  assert.deepEqual(await (await get('/healthz')).json(), { status: 'ok' })
  assert.deepEqual(await (await get('/readyz')).json(), { status: 'ready', missing: [] })
  const metrics = await (await get('/metrics')).text()
  assert.ok(metrics.includes(`openrfq_http_request_seconds_count{endpoint="/healthz",status="200"} 1`))
  assert.ok(metrics.includes('openrfq_http_in_flight 1'))
  const lame = await startTableServer({
    useCases: { ...createTableUseCases(), readiness: async () => ({ ready: false, missing: ['store'] }) },
  })
  const response = await fetch(`${lame.url}/readyz`)
  assert.equal(response.status, 503)
  assert.deepEqual(await response.json(), { status: 'not ready', missing: ['store'] })
  await lame.close()
})

test('the documentation is served under a policy that lets it load nothing', async () => {
  const page = await get('/docs')
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal((await get('/')).headers.get('location'), '/docs')
  assert.equal((await get('/openapi.json')).headers.get('content-type'), 'application/json; charset=utf-8')
})
