import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ScriptedAnswer, startScriptedService } from 'openrfq/test/scripted-service.ts'
import { createClient } from './create-client.ts'
import { RfqError } from './rfq-error.ts'
import { TransportError } from './transport-error.ts'

const CHAIN = {
  chainId: 'eip155:1',
  chainLabel: 'Ethereum',
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
} as const
const CHAINS: ScriptedAnswer = { body: { chains: [CHAIN] } }
const PARAMS = {
  fromChain: 'eip155:1',
  fromToken: '0xa',
  toChain: 'eip155:2',
  toToken: '0xb',
  amount: 2n ** 200n,
  orderType: 'EXACT_INPUT',
  sender: '0xc',
  recipient: '0xd',
} as const

const refusal = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedAnswer => ({
  status,
  headers,
  body: { error: { code, message: `because of ${code}`, details: { field: 'x' } } },
})

const serve = async (t: TestContext, script: Readonly<Record<string, readonly ScriptedAnswer[]>>) => {
  const service = await startScriptedService(script)
  t.after(service.stop)
  return { client: createClient({ baseUrl: service.url, timeoutMs: 60_000 }), asked: service.asked }
}

test('sends filters as query parameters and leaves absent ones out', async (t) => {
  const { client, asked } = await serve(t, { 'GET /v1/rfq/tokens': [{ body: { tokens: [] } }] })
  await client.getTokens({ chain: 'eip155:1', verified: false })
  await client.getTokens()
  assert.deepEqual(
    asked.map(({ line }) => line),
    ['GET /v1/rfq/tokens?chain=eip155%3A1&verified=false', 'GET /v1/rfq/tokens'],
  )
})

test('sends the amount as a decimal string, exact beyond 2^53', async (t) => {
  const { client, asked } = await serve(t, { 'POST /v1/rfq/quote': [{ body: { quotes: [] } }] })
  assert.deepEqual(await client.getQuotes(PARAMS), [])
  assert.equal(JSON.parse(asked[0]?.body ?? '').amount, (2n ** 200n).toString())
})

test('tells how the orders of each solver ended', async (t) => {
  const pair = {
    fromChain: 'eip155:1',
    fromToken: '0xa',
    toChain: 'eip155:2',
    toToken: '0xb',
    filled: 9,
    late: 0,
    declined: 1,
    faded: 0,
    fillRate: 0.9,
    medianFillSeconds: 4,
    blockedUntil: null,
  }
  const solvers = [
    { name: 'One', address: '0xe', connected: true, inventoryExceedsBalance: [], pairs: [pair] },
  ]
  const { client } = await serve(t, { 'GET /v1/solvers': [{ body: { solvers } }] })
  assert.deepEqual(await client.getSolvers(), solvers)
})

test('keeps a path prefix of the base address', async (t) => {
  const service = await startScriptedService({ 'GET /rfq/v1/rfq/chains': [CHAINS] })
  t.after(service.stop)
  assert.deepEqual(await createClient({ baseUrl: `${service.url}/rfq` }).getChains(), [CHAIN])
})

test('turns an error body into RfqError with its code and details', async (t) => {
  const { client, asked } = await serve(t, { 'POST /v1/rfq/quote': [refusal(422, 'UNSUPPORTED_ROUTE')] })
  await assert.rejects(client.getQuotes(PARAMS), (error) => {
    assert.ok(error instanceof RfqError)
    assert.deepEqual([error.code, error.details], ['UNSUPPORTED_ROUTE', { field: 'x' }])
    return true
  })
  assert.equal(asked.length, 1)
})

test('repeats a read after 5xx, with and without an error body', async (t) => {
  const { client, asked } = await serve(t, {
    'GET /v1/rfq/chains': [refusal(500, 'INTERNAL_ERROR'), { status: 502, body: '<html>' }, CHAINS],
  })
  assert.deepEqual(await client.getChains(), [CHAIN])
  assert.equal(asked.length, 3)
})

test('sends a quote request only once when the service fails', async (t) => {
  const { client, asked } = await serve(t, { 'POST /v1/rfq/quote': [refusal(500, 'INTERNAL_ERROR')] })
  await assert.rejects(client.getQuotes(PARAMS), { name: 'RfqError', code: 'INTERNAL_ERROR' })
  assert.equal(asked.length, 1)
})

test('repeats any request, quotes included, after the pause that retry-after names', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { body } = refusal(429, 'RATE_LIMITED')
  let asked = 0
  const fetch = async (): Promise<Response> => {
    asked += 1
    return asked > 1
      ? Response.json({ quotes: [] })
      : Response.json(body, { status: 429, headers: { 'retry-after': '1' } })
  }
  const quotes = createClient({ baseUrl: 'http://rfq.example', fetch }).getQuotes(PARAMS)
  let pausedMs = 0
  for (; asked < 2; pausedMs += 1) {
    await new Promise((turned) => setImmediate(turned))
    t.mock.timers.tick(1)
  }
  assert.ok(pausedMs >= 1_000, `${pausedMs} ms`)
  assert.deepEqual(await quotes, [])
})

test('reports RATE_LIMITED at once when retry-after asks for more than 15 seconds', async (t) => {
  const { client, asked } = await serve(t, {
    'GET /v1/rfq/chains': [refusal(429, 'RATE_LIMITED', { 'retry-after': '16' })],
  })
  await assert.rejects(client.getChains(), { name: 'RfqError', code: 'RATE_LIMITED' })
  assert.equal(asked.length, 1)
})

test('gives up after four attempts', async (t) => {
  const { client, asked } = await serve(t, { 'GET /v1/rfq/chains': [refusal(500, 'INTERNAL_ERROR')] })
  await assert.rejects(client.getChains(), { code: 'INTERNAL_ERROR' })
  assert.equal(asked.length, 4)
})

test('names the field of a malformed answer and does not repeat the request', async (t) => {
  const { client, asked } = await serve(t, {
    'GET /v1/rfq/chains': [{ body: { chains: [CHAIN, { ...CHAIN, chainLabel: 7 }] } }],
  })
  await assert.rejects(client.getChains(), {
    name: 'TransportError',
    code: 'malformed',
    message: /"chains\.1\.chainLabel": expected string/,
  })
  assert.equal(asked.length, 1)
})

test('quotes the received body when an error answer has no error body', async (t) => {
  const { client } = await serve(t, { 'POST /v1/rfq/quote': [{ status: 404, body: '<h1>nginx</h1>' }] })
  await assert.rejects(client.getQuotes(PARAMS), { code: 'malformed', message: /HTTP 404.*<h1>nginx/ })
})

test('names the host that cannot be reached', async () => {
  const service = await startScriptedService({})
  service.stop()
  const client = createClient({ baseUrl: service.url })
  await assert.rejects(client.getQuotes(PARAMS), (error) => {
    assert.ok(error instanceof TransportError)
    assert.equal(error.code, 'unreachable')
    assert.match(error.message, /cannot reach http:\/\/127\.0\.0\.1.*ECONNREFUSED/)
    return true
  })
})

test('rejects at its deadline', async () => {
  const never: typeof fetch = (_, options) =>
    new Promise((_resolve, reject) =>
      options?.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
    )
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', fetch: never, timeoutMs: 20 })
  await assert.rejects(client.getQuotes(PARAMS), {
    name: 'TransportError',
    code: 'timeout',
    message: /20 ms/,
  })
})
