import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createClient, QuoteAnswer, type Status } from '@openrfq/sdk'
import { until } from '../../test/eventually.ts'
import { assertError } from '../../test/http-asker.ts'
import { startTableServer } from '../../test/table-server.ts'
import { createTableUseCases, GOOD_REQUEST } from '../../test/table-use-cases.ts'
import type { FollowedStatus } from '../service/status-feed.ts'
import type { UseCases } from '../service/use-cases.ts'

const QUOTE_QUERY = new URLSearchParams(GOOD_REQUEST).toString()
const STATUS = '/v1/rfq/status/stream?quoteId=quote_a'

/** Statuses that a test tells to every stream. */
const createScript = () => {
  const followers = new Set<(status: FollowedStatus) => void>()
  let first = followed('0.a', 'AWAITING_DEPOSIT')
  const followStatus: UseCases['followStatus'] = async (_query, _client, onNext) => {
    followers.add(onNext)
    onNext(first)
    return () => followers.delete(onNext)
  }
  return {
    followStatus,
    followers,
    tell: (status: FollowedStatus) => {
      first = status
      for (const follower of followers) follower(status)
    },
  }
}

const followed = (id: string, state: string): FollowedStatus => ({
  id,
  text: JSON.stringify({
    quoteId: 'quote_a',
    state,
    backend: null,
    source: null,
    destination: null,
    output: null,
    refund: null,
    details: {},
  }),
  isLast: state === 'DONE',
})

const serve = async (t: TestContext, overrides: Parameters<typeof startTableServer>[0] = {}) => {
  const script = createScript()
  const useCases = { ...createTableUseCases(), followStatus: script.followStatus, ...overrides.useCases }
  const server = await startTableServer({ ...overrides, useCases })
  t.after(() => server.close())
  return { ...script, server, url: server.url }
}

test('a stream sends the present status and each change, and ends after the last one', async (t) => {
  const { url, tell, followers } = await serve(t)
  const seen: string[] = []
  const watched = (async () => {
    for await (const { state } of createClient({ baseUrl: url }).watchStatus({ quoteId: 'quote_a' }))
      seen.push(state)
  })()
  await until(() => seen.length === 1)
  tell(followed('1.b', 'PENDING'))
  tell(followed('2.c', 'DONE'))
  await watched
  assert.deepEqual(seen, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  await until(() => followers.size === 0)
})

test('a stream is what EventSource expects, and is not kept or held back on the way', async (t) => {
  const { url, tell } = await serve(t)
  tell(followed('2.c', 'DONE'))
  const response = await fetch(url + STATUS)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.match(
    await response.text(),
    /^retry: 2000\n\nevent: status\nid: 2\.c\ndata: \{"quoteId":[^\n]*\}\n\n$/,
  )
})

test('every stream gets a heartbeat of one comment each 15 seconds, which is no event', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { url, tell } = await serve(t)
  const streams = await Promise.all(
    [1, 2].map(async () => {
      const { body } = await fetch(url + STATUS)
      assert.ok(body !== null)
      const [reader, decoder] = [body.getReader(), new TextDecoder()]
      return async (): Promise<string> => decoder.decode((await reader.read()).value)
    }),
  )
  const seen: string[] = []
  const watched = (async () => {
    for await (const { state } of createClient({ baseUrl: url }).watchStatus({ quoteId: 'quote_a' }))
      seen.push(state)
  })()
  await until(() => seen.length === 1)
  for (const read of streams) {
    let text = ''
    while (!text.endsWith('}\n\n')) text += await read()
  }
  t.mock.timers.tick(14_999)
  tell(followed('1.b', 'PENDING'))
  for (const read of streams) assert.match(await read(), /^event: status\nid: 1\.b\n[^:]*: [^\n]*\n\n$/)
  t.mock.timers.tick(1)
  for (const read of streams) assert.equal(await read(), ':\n\n')
  t.mock.timers.tick(15_000)
  for (const read of streams) assert.equal(await read(), ':\n\n')
  tell(followed('2.c', 'DONE'))
  await watched
  assert.deepEqual(seen, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
})

test('a client that comes back gets only what is new, and 204 after the last status', async (t) => {
  const { url, tell } = await serve(t)
  const from = (id: string): Promise<Response> => fetch(url + STATUS, { headers: { 'last-event-id': id } })
  const returned = await from('0.a')
  tell(followed('2.c', 'DONE'))
  assert.deepEqual((await returned.text()).match(/^id: .*$/gm), ['id: 2.c'])
  for (const other of ['nonsense', '', '99.c', '-1.c', '2.C', '2.c, 2.c', `2.${'c'.repeat(5_000)}`])
    assert.match(await (await from(other)).text(), /id: 2\.c\n/, other)
  const over = await from('2.c')
  assert.equal(over.status, 204)
  assert.equal(await over.text(), '')
})

test('a request that cannot be followed gets the error of the plain endpoint', async (t) => {
  const { url } = await serve(t)
  for (const query of ['', '?quoteId=', '?quoteId=a&quoteId=a', '?quoteId=a&sourceChain=x'])
    await assertError(await fetch(`${url}/v1/rfq/status/stream${query}`), 400, 'INVALID_REQUEST')
  for (const [change, status, code] of [
    [{ amount: '1.5' }, 400, 'INVALID_REQUEST'],
    [{ amount: '' }, 400, 'INVALID_REQUEST'],
    [{ orderType: 'ANY' }, 400, 'INVALID_REQUEST'],
    [{ approvalMode: 'ALL' }, 400, 'INVALID_REQUEST'],
    [{ toChain: 'eip155:9' }, 422, 'UNSUPPORTED_CHAIN'],
    [{ amount: '2000000000000' }, 422, 'AMOUNT_OUT_OF_RANGE'],
  ] as const) {
    const query = new URLSearchParams({ ...GOOD_REQUEST, ...change })
    await assertError(await fetch(`${url}/v1/rfq/quote/stream?${query}`), status, code)
  }
  const head = await fetch(url + STATUS, { method: 'HEAD' })
  assert.equal(head.status, 405)
})

test('a quote stream answers at once, and passes on the tolerance and the approval', async (t) => {
  const plain = createTableUseCases()
  const asked: unknown[] = []
  const requestQuotes: UseCases['requestQuotes'] = (request, client) => {
    asked.push([request.slippageTolerance, request.options])
    return plain.requestQuotes(request, client)
  }
  const { url } = await serve(t, { useCases: { ...plain, requestQuotes } })
  const controller = new AbortController()
  for (const more of ['', '&slippageTolerance=50&approvalMode=MAX', '&slippageTolerance=much']) {
    const response = await fetch(`${url}/v1/rfq/quote/stream?${QUOTE_QUERY}${more}`, {
      signal: controller.signal,
    })
    const { value = new Uint8Array() } = (await response.body?.getReader().read()) ?? {}
    const [, data = ''] = /event: quotes\ndata: (.*)\n\n/.exec(new TextDecoder().decode(value)) ?? []
    assert.equal(QuoteAnswer.parse(JSON.parse(data)).quotes.length, 1)
  }
  controller.abort()
  assert.deepEqual(asked, [
    [undefined, undefined],
    [50, { approvalMode: 'MAX' }],
    [undefined, undefined],
  ])
})

test('streams are bounded for a client, others are served, and a place is free again when a client leaves', async (t) => {
  const { url, followers } = await serve(t, { rateLimited: true, trustProxy: true, now: () => 0 })
  const as = (client: string, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(url + STATUS, { headers: { 'x-forwarded-for': client }, signal })
  const controllers = Array.from({ length: 100 }, () => new AbortController())
  for (const { signal } of controllers) assert.equal((await as('203.0.113.1', signal)).status, 200)
  await assertError(await as('203.0.113.1'), 429, 'RATE_LIMITED', /too many streams/)
  const other = await as('203.0.113.2')
  assert.equal(other.status, 200)
  controllers[0]?.abort()
  await until(() => followers.size === 100)
  const next = await as('203.0.113.1')
  assert.equal(next.status, 200)
  for (const controller of controllers) controller.abort()
  await other.body?.cancel()
  await next.body?.cancel()
  await until(() => followers.size === 0)
})

test('a client that leaves before its first status leaves nothing behind', async (t) => {
  const gate = Promise.withResolvers<void>()
  const script = createScript()
  let asked = 0
  const followStatus: UseCases['followStatus'] = async (...query) => {
    asked += 1
    await gate.promise
    return script.followStatus(...query)
  }
  const { url } = await serve(t, { useCases: { ...createTableUseCases(), followStatus } })
  const controller = new AbortController()
  const left = assert.rejects(fetch(url + STATUS, { signal: controller.signal }))
  await until(() => asked === 1)
  controller.abort()
  await left
  gate.resolve()
  await until(async () => (await (await fetch(`${url}/metrics`)).text()).includes('openrfq_event_streams 0'))
  await until(() => script.followers.size === 0)
})

test('streams do not count as requests in flight, and metrics count them', async (t) => {
  const { url } = await serve(t)
  const controller = new AbortController()
  await fetch(url + STATUS, { signal: controller.signal })
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.ok(metrics.includes('openrfq_event_streams 1'))
  assert.ok(metrics.includes('openrfq_http_in_flight_requests 1'))
  controller.abort()
})

test('a client that does not read is disconnected, and the others go on', async (t) => {
  const { server, url, tell, followers } = await serve(t)
  const lazy = connect(server.port, '127.0.0.1')
  lazy.on('error', () => undefined)
  lazy.pause()
  lazy.write(`GET ${STATUS} HTTP/1.1\r\nhost: a\r\n\r\n`)
  await until(() => followers.size === 1)
  const seen: Status['state'][] = []
  const watched = (async () => {
    for await (const { state } of createClient({ baseUrl: url }).watchStatus({ quoteId: 'quote_a' }))
      seen.push(state)
  })()
  await until(() => seen.length === 1)
  // The system's buffers of a connection hold a few megabytes.
  const padding = ' '.repeat(100_000)
  let sent = 0
  await until(() => {
    // The client that reads has read all.
    if (seen.length <= sent) return false
    sent += 1
    const next = followed(`${sent}.x`, 'PENDING')
    tell({ ...next, text: next.text.replace('{}', `{"stage":"${padding}"}`) })
    return followers.size === 1
  })
  tell(followed(`${sent + 1}.x`, 'DONE'))
  await watched
  assert.equal(seen.length, sent + 2)
  lazy.destroy()
})

test('a server that ends closes its streams at once', async () => {
  const script = createScript()
  const server = await startTableServer({
    useCases: { ...createTableUseCases(), followStatus: script.followStatus },
  })
  const response = await fetch(server.url + STATUS)
  const text = response.text()
  const closed = server.close(120_000)
  assert.match(await text, /AWAITING_DEPOSIT/)
  await closed
  assert.equal(script.followers.size, 0)
})

test('a stream whose first status is read while the server ends is ended too', async () => {
  const gate = Promise.withResolvers<void>()
  const script = createScript()
  let asked = 0
  const followStatus: UseCases['followStatus'] = async (...query) => {
    asked += 1
    await gate.promise
    return script.followStatus(...query)
  }
  const server = await startTableServer({ useCases: { ...createTableUseCases(), followStatus } })
  const answered = fetch(server.url + STATUS)
  await until(() => asked === 1)
  const closed = server.close(120_000)
  gate.resolve()
  assert.equal((await answered).status, 200)
  await closed
  assert.equal(script.followers.size, 0)
})
