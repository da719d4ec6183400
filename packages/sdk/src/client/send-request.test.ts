import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './create-client.ts'

const BASE_URL = 'http://127.0.0.1:1'
const CHAINS = JSON.stringify({ chains: [] })

const answering =
  (make: () => Response): typeof fetch =>
  () =>
    Promise.resolve(make())

test('calls fetch without a receiver, as browsers require', async () => {
  // A function expression, because arrow functions have no receiver.
  const strict: typeof fetch = function (this: unknown) {
    if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation')
    return Promise.resolve(new Response(CHAINS))
  }
  assert.deepEqual(await createClient({ baseUrl: BASE_URL, fetch: strict }).getChains(), [])
})

test('calls a global fetch that was replaced after the client was created', async (t) => {
  const client = createClient({ baseUrl: BASE_URL })
  t.mock.method(
    globalThis,
    'fetch',
    answering(() => new Response(CHAINS)),
  )
  assert.deepEqual(await client.getChains(), [])
})

test('reads bodies without iterating them, and without streams', async () => {
  const withoutIterator = (): Response => {
    const response = new Response(CHAINS)
    assert.ok(response.body)
    Object.defineProperty(response.body, Symbol.asyncIterator, { value: undefined })
    return response
  }
  const withoutStream = (): Response =>
    Object.defineProperty(new Response(CHAINS), 'body', { value: undefined })
  for (const make of [withoutIterator, withoutStream])
    assert.deepEqual(await createClient({ baseUrl: BASE_URL, fetch: answering(make) }).getChains(), [])
})

test('rejects an answer above the size limit without reading it to the end', async () => {
  const chunk = new Uint8Array(2 ** 20)
  let chunks = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          chunks += 1
          controller.enqueue(chunk)
        },
      }),
    )
  const client = createClient({ baseUrl: BASE_URL, fetch: answering(endless) })
  await assert.rejects(client.getChains(), { code: 'malformed', message: /exceeds 33554432 bytes/ })
  assert.ok(chunks < 40, `${chunks} chunks were read`)
})

test('treats a broken body as unreachable and repeats the read', async () => {
  let calls = 0
  const breaking: typeof fetch = () => {
    calls += 1
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })
    return Promise.resolve(new Response(calls === 1 ? body : CHAINS))
  }
  assert.deepEqual(await createClient({ baseUrl: BASE_URL, fetch: breaking }).getChains(), [])
  assert.equal(calls, 2)
})

test('calls a redirect and a body that cannot be decoded malformed, and asks once', async (t) => {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    if (request.url?.startsWith('/a/') === true)
      response.writeHead(301, { location: `${BASE_URL}/elsewhere` }).end()
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(CHAINS)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  for (const [path, message] of [
    ['a', /redirect, which is not followed/],
    ['b', /cannot be decoded/],
  ] as const) {
    const client = createClient({ baseUrl: `http://127.0.0.1:${address.port}/${path}/` })
    await assert.rejects(client.getChains(), { code: 'malformed', isTransient: false, message })
  }
  assert.equal(asked, 2)
})

test('a signal that is none rejects, and leaves nothing running', async () => {
  const ended = new Promise((resolve) => process.once('unhandledRejection', resolve))
  const client = createClient({ baseUrl: BASE_URL, timeoutMs: 20, fetch: () => new Promise(() => {}) })
  // CAST: JavaScript has no types; a controller is easily passed for its signal.
  const signal = new AbortController() as unknown as AbortSignal
  await assert.rejects(client.getChains({ signal }), TypeError)
  assert.equal(await Promise.race([ended, sleep(60, 'quiet')]), 'quiet')
})

test('a fetch that returns no Response rejects with its own error, not as unreachable', async () => {
  // CAST: JavaScript has no types; old replacements of fetch answer with Node's streams, careless ones with nothing.
  const answers = [undefined, { status: 200, body: {} }] as unknown as readonly Response[]
  for (const answer of answers) {
    const client = createClient({ baseUrl: BASE_URL, fetch: () => Promise.resolve(answer) })
    await assert.rejects(client.getChains(), TypeError)
  }
})

const never: typeof fetch = () => new Promise(() => undefined)

test('the deadline and an aborted signal end a call even when fetch ignores both', async () => {
  const client = createClient({ baseUrl: BASE_URL, fetch: never, timeoutMs: 30 })
  const params = { fromChain: 'a', fromToken: 'b', toChain: 'c', toToken: 'd', sender: 'e', recipient: 'f' }
  const order = { ...params, amount: 1n, orderType: 'EXACT_INPUT' } as const
  await assert.rejects(client.getQuotes(order), { code: 'timeout', message: /within 30 ms/ })
  const reason = new Error('enough')
  const patient = createClient({ baseUrl: BASE_URL, fetch: never })
  await assert.rejects(patient.getChains({ signal: AbortSignal.abort(reason) }), reason)
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 10)
  await assert.rejects(patient.getTokens({}, { signal: controller.signal }), reason)
})

test('invalid arguments reject at once with their own error, not as unreachable', async () => {
  // CAST: JavaScript has no types; what is passed here is what its callers pass by mistake.
  const unchecked = createClient as (options: unknown) => ReturnType<typeof createClient>
  for (const baseUrl of [
    undefined,
    '',
    'rfq.example',
    'ftp://rfq.example',
    'https://rfq.example?a=1',
    'https://a#b',
  ])
    assert.throws(() => unchecked({ baseUrl }), { name: 'TypeError', message: /^baseUrl is / })
  assert.throws(
    () => unchecked({ baseUrl: 'https://user:secret@rfq.example' }),
    (error) => {
      assert.ok(error instanceof TypeError)
      return !error.message.includes('secret')
    },
  )
  assert.throws(() => unchecked({ baseUrl: BASE_URL, fetch: 'fetch' }), TypeError)
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
    assert.throws(() => unchecked({ baseUrl: BASE_URL, timeoutMs }), RangeError)
  const client = unchecked({ baseUrl: BASE_URL, fetch: never })
  // CAST: as above.
  const getQuotes = client.getQuotes as (params: unknown) => Promise<unknown>
  await assert.rejects(getQuotes({ amount: '25' }), { name: 'TypeError', message: /bigint/ })
  await assert.rejects(getQuotes({ amount: 1n, sender: 5n }), TypeError)
  await assert.rejects(client.waitForTransfer({ quoteId: 'quote_1', timeoutMs: -5 }), RangeError)
})

test('does not follow a redirect: a request goes only to the base URL', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(307, { location: '/elsewhere' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const client = createClient({ baseUrl: `http://127.0.0.1:${address.port}` })
  const order = {
    fromChain: 'eip155:1',
    fromToken: '0x1',
    toChain: 'eip155:2',
    toToken: '0x1',
    amount: 1n,
    orderType: 'EXACT_INPUT',
    sender: '0x1',
    recipient: '0x1',
  } as const
  await assert.rejects(client.getQuotes(order), { code: 'malformed' })
  assert.deepEqual(asked, ['POST /v1/rfq/quote'])
  server.close()
  server.closeAllConnections()
})
