import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { QuoteAnswer } from '@openrfq/sdk'
import { until } from '../../test/eventually.ts'
import { sendRaw } from '../../test/raw-request.ts'
import { HASTY, startTableServer } from '../../test/table-server.ts'
import { createTableUseCases, GOOD_REQUEST } from '../../test/table-use-cases.ts'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())

const CHAINS = 'GET /v1/rfq/chains HTTP/1.1\r\nhost: a\r\n\r\n'
const body = JSON.stringify(GOOD_REQUEST)
const quoteHead = `POST /v1/rfq/quote HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`

/** Longer than the head of a request may take. */
const STOPPED_MS = 3 * HASTY.request

const assertRefused = (answer: string, status: number, code = 'INVALID_REQUEST'): void => {
  assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
  assert.match(answer, /\r\ncontent-type: application\/json/)
  assert.match(answer, /\r\nx-request-id: [\w-]+\r\n/)
  assert.match(answer, /\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/i)
  assert.ok(answer.includes(`{"error":{"code":"${code}","message":`), answer)
}

test('answers bytes that are not HTTP/1.1 with an error body and a fitting status', async () => {
  for (const [bytes, status] of [
    ['GARBAGE\r\n\r\n', 400],
    ['GET / HTTP/9.9\r\nhost: a\r\n\r\n', 400],
    ['GET /\x00 HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost : a\r\n\r\n', 400],
    [`${quoteHead}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`, 400],
    [`${quoteHead}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    [`${quoteHead}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(9000)}\r\n\r\n`, 431],
    [`GET /${'x'.repeat(9000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
    [`${quoteHead}expect: a-miracle\r\ncontent-length: 2\r\n\r\n{}`, 417],
    ['CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n', 405],
    ['TRACE /v1/rfq/chains HTTP/1.1\r\nhost: a\r\n\r\n', 405],
  ] as const) {
    assertRefused(await sendRaw(server.port, bytes), status)
  }
})

test('serves absolute targets, HTTP/1.0, a body on GET, and unknown upgrade headers', async () => {
  for (const bytes of [
    'GET http://a.example/v1/rfq/chains HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET /v1/rfq/chains HTTP/1.0\r\n\r\n',
    'GET /v1/rfq/chains HTTP/1.1\r\nhost: a\r\ncontent-length: 7\r\n\r\nignored',
    'GET /v1/rfq/chains HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    `${quoteHead}expect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    `${quoteHead}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    assert.match(await sendRaw(server.port, bytes), /HTTP\/1.1 200 OK/, bytes)
  }
})

test('answers pipelined requests in order, and rejects garbage after them last', async () => {
  const quote = `${quoteHead}content-length: ${body.length}\r\n\r\n${body}`
  const answer = await sendRaw(server.port, `${quote}${CHAINS}GARBAGE\r\n\r\n`, { answers: 3 })
  const found = [...answer.matchAll(/HTTP\/1.1 (\d+)|"(quotes|chains|error)":/g)].map(
    (match) => match[1] ?? match[2],
  )
  assert.deepEqual(found, ['200', 'quotes', '200', 'chains', '400', 'error'])
})

test('answers a body far above the limit, and closes its connection', async () => {
  const answer = await sendRaw(
    server.port,
    `${quoteHead}content-length: 99999999999\r\n\r\n${'x'.repeat(2e6)}`,
  )
  assertRefused(answer, 400)
  assert.match(answer, /\r\nconnection: close\r\n/)
})

test('answers 429 RATE_LIMITED with retry-after above 500 requests, except for health and metrics', async () => {
  const limited = await startTableServer({ rateLimited: true, now: () => 0 })
  const ask = (path: string): Promise<Response> => fetch(limited.url + path)
  const first = await ask('/v1/rfq/chains')
  assert.equal(first.headers.get('ratelimit-limit'), '500')
  assert.equal(first.headers.get('ratelimit-remaining'), '499')
  assert.equal(first.headers.get('ratelimit-reset'), '10')
  await sendRaw(limited.port, CHAINS.repeat(499), { answers: 499 })
  const refused = await ask('/v1/rfq/status?quoteId=a')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '10')
  assert.equal(refused.headers.get('ratelimit-remaining'), '0')
  assert.match(await refused.text(), /"code":"RATE_LIMITED"/)
  assert.equal((await ask('/healthz')).status, 200)
  assert.equal((await ask('/metrics')).status, 200)
  await limited.close()
})

test('answers 429 RATE_LIMITED to a client that had its quotes, until it regains one, unless limits are off', async () => {
  for (const rateLimited of [true, false]) {
    const limited = await startTableServer({ rateLimited, quotesPerClientDay: 2, now: () => 0 })
    const ask = (): Promise<Response> =>
      fetch(`${limited.url}/v1/rfq/quote`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    for (let had = 0; had < 2; ) had += QuoteAnswer.parse(await (await ask()).json()).quotes.length
    const response = await ask()
    assert.equal(response.status, rateLimited ? 429 : 200)
    if (rateLimited) {
      const retryAfterSeconds = Number(response.headers.get('retry-after'))
      assert.ok(retryAfterSeconds >= 43_200 && retryAfterSeconds <= 86_400, String(retryAfterSeconds))
      assert.match(await response.text(), /"code":"RATE_LIMITED"/)
      const metrics = await (await fetch(`${limited.url}/metrics`)).text()
      assert.match(metrics, /^openrfq_exhausted_clients 1$/m)
    }
    assert.equal((await fetch(`${limited.url}/v1/rfq/chains`)).status, 200)
    await limited.close()
  }
})

test('behind a trusted proxy each forwarded client has its own limit', async () => {
  const limited = await startTableServer({ rateLimited: true, trustProxy: true, now: () => 0 })
  const remaining = async (client: string): Promise<string | null> => {
    const response = await fetch(`${limited.url}/v1/rfq/chains`, { headers: { 'x-forwarded-for': client } })
    return response.headers.get('ratelimit-remaining')
  }
  assert.equal(await remaining('203.0.113.1'), '499')
  assert.equal(await remaining('6.6.6.6, 203.0.113.1'), '498')
  assert.equal(await remaining('203.0.113.2'), '499')
  await limited.close()
})

/** Use cases whose status lookups wait until `release` is called. */
const waitingUseCases = () => {
  const gate = Promise.withResolvers<void>()
  const useCases = createTableUseCases()
  let lookups = 0
  return {
    release: gate.resolve,
    /** How many lookups have begun. */
    asked: () => lookups,
    useCases: {
      ...useCases,
      getStatus: async (...lookup: Parameters<typeof useCases.getStatus>) => {
        lookups += 1
        await gate.promise
        return useCases.getStatus(...lookup)
      },
    },
  }
}

test('more than 1024 requests in work answer 429, never 503', async () => {
  const { release, asked, useCases } = waitingUseCases()
  const busy = await startTableServer({ useCases })
  const lookup = 'GET /v1/rfq/status?quoteId=a HTTP/1.1\r\nhost: a\r\n\r\n'
  const waiting = Array.from({ length: 16 }, () => sendRaw(busy.port, lookup.repeat(64), { answers: 64 }))
  await until(() => asked() === 1024)
  const refused = await fetch(`${busy.url}/v1/rfq/chains`)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal((await fetch(`${busy.url}/healthz`)).status, 200)
  release()
  const answers = await Promise.all(waiting)
  assert.equal(answers.join('').match(/HTTP\/1.1 200/g)?.length, 1024)
  await busy.close()
})

test('a client that disconnects before its answer leaves nothing in flight', async () => {
  const { release, useCases } = waitingUseCases()
  const busy = await startTableServer({ useCases })
  const inFlight = async (): Promise<string | undefined> => {
    const text = await (await fetch(`${busy.url}/metrics`)).text()
    return /\nopenrfq_http_in_flight_requests (\d+)/.exec(text)?.[1]
  }
  const socket = connect(busy.port, '127.0.0.1')
  socket.write('GET /v1/rfq/status?quoteId=a HTTP/1.1\r\nhost: a\r\n\r\n')
  await until(async () => (await inFlight()) === '2')
  socket.destroy()
  await until(async () => (await inFlight()) === '1')
  release()
  assert.deepEqual(busy.lines, [])
  await busy.close()
})

test('closing answers requests in progress, closes idle connections, and accepts no new ones', async () => {
  const { release, asked, useCases } = waitingUseCases()
  const closing = await startTableServer({ useCases })
  const idle = connect(closing.port, '127.0.0.1')
  const idleClosed = new Promise((resolve) => idle.once('close', resolve))
  idle.resume()
  const open = fetch(`${closing.url}/v1/rfq/status?quoteId=a`)
  await until(() => asked() === 1)
  const closed = closing.close(60_000)
  await idleClosed
  await assert.rejects(fetch(`${closing.url}/healthz`))
  release()
  const answer = await open
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('connection'), 'close')
  await closed
})

test('closing cuts what is still open after the time it was given', async () => {
  const { asked, useCases } = waitingUseCases()
  const closing = await startTableServer({ useCases })
  const open = fetch(`${closing.url}/v1/rfq/status?quoteId=a`)
  const rejected = assert.rejects(open)
  await until(() => asked() === 1)
  await closing.close(50)
  await rejected
})

test('answers 408 to a head or body that does not arrive in time', async () => {
  const hasty = await startTableServer({ times: HASTY })
  const [head, rest] = await Promise.all([
    sendRaw(hasty.port, 'GET / HTTP/1.1\r\nhost: a\r\n'),
    sendRaw(hasty.port, `${quoteHead}content-length: 100\r\n\r\n{`),
  ])
  assertRefused(head, 408)
  assertRefused(rest, 408)
  await hasty.close()
})

test('a request that arrived while the process was stopped is answered, not timed out', async () => {
  const hasty = await startTableServer({ times: HASTY })
  const opened = Promise.withResolvers<void>()
  const socket = connect(hasty.port, '127.0.0.1', opened.resolve)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  await opened.promise
  // The server has accepted the connection once it has answered another one.
  await fetch(`${hasty.url}/healthz`)
  socket.write(CHAINS)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STOPPED_MS)
  await until(() => answer !== '' || socket.destroyed)
  assert.match(answer, /^HTTP\/1.1 200 /)
  socket.destroy()
  await hasty.close()
})
