import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { ErrorBody, QuoteAnswer, Status } from '@openrfq/sdk'
import { sendRaw } from '../../test/raw-request.ts'
import { HASTY, startTableServer } from '../../test/table-server.ts'
import { GOOD_REQUEST } from '../../test/table-use-cases.ts'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())

const BODY = JSON.stringify(GOOD_REQUEST)
const QUOTE = 'POST /v1/rfq/quote HTTP/1.1\r\nhost: a\r\n'
const JSON_QUOTE = `${QUOTE}content-type: application/json\r\n`

/** Asserts that a raw answer is a single error body of INVALID_REQUEST under this status. */
const assertRefused = (answer: string, status: number): void => {
  assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  assert.match(head, /\r\naccess-control-allow-origin: \*/)
  assert.match(head, /\r\nx-request-id: [\w-]+/)
  assert.equal(ErrorBody.parse(JSON.parse(body)).error.code, 'INVALID_REQUEST')
}

test('rejects two host headers in any spelling', async () => {
  for (const second of ['host: a', 'Host: b', 'HOST:'])
    assertRefused(
      await sendRaw(server.port, `GET /v1/rfq/chains HTTP/1.1\r\nhost: a\r\n${second}\r\n\r\n`),
      400,
    )
  const old = await sendRaw(server.port, 'GET /v1/rfq/chains HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n')
  assertRefused(old, 400)
})

test('rejects a host header that names no host', async () => {
  const ask = (host: string, version = '1.1'): Promise<string> =>
    sendRaw(server.port, `GET /v1/rfq/chains HTTP/${version}\r\nhost: ${host}\r\n\r\n`)
  for (const host of [
    'a b',
    'a b/c@',
    'u@x',
    'x/y',
    'x?y',
    'x#y',
    'a:b',
    'a:1:2',
    '::1',
    '[::1',
    '[x]',
    '%zz',
    '"a"',
  ])
    assertRefused(await ask(host), 400)
  assertRefused(await ask('u@x', '1.0'), 400)
  for (const host of [
    '',
    'a',
    'A.example.',
    'a_b-1.example:8080',
    'a:',
    '127.0.0.1:80',
    '[::1]:8080',
    '[v1.a:b]',
    '%61',
  ])
    assert.match(await ask(host), /^HTTP\/1.1 200 /, host)
})

test('rejects a target with a fragment, and * for other methods than OPTIONS', async () => {
  for (const target of ['/v1/rfq/chains#a', '/#', 'http://a/#b', 'http://a#b', '*', '*?a'])
    assertRefused(await sendRaw(server.port, `GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`), 400)
  const [root, query] = await Promise.all(
    ['http://a', 'http://a?b=c'].map((target) =>
      sendRaw(server.port, `GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`),
    ),
  )
  for (const answer of [root, query]) assert.match(String(answer), /^HTTP\/1.1 302 /)
})

test('rejects another major version of HTTP', async () => {
  for (const version of ['2.0', '0.9'])
    assertRefused(await sendRaw(server.port, `GET /v1/rfq/chains HTTP/${version}\r\nhost: a\r\n\r\n`), 400)
})

test('rejects two content-type headers of one body', async () => {
  for (const [first, second] of [
    ['application/json', 'text/plain'],
    ['text/plain', 'application/json'],
    ['application/json', 'application/json'],
  ]) {
    const types = `content-type: ${first}\r\nContent-Type: ${second}\r\n`
    assertRefused(
      await sendRaw(server.port, `${QUOTE}${types}content-length: ${BODY.length}\r\n\r\n${BODY}`),
      400,
    )
  }
})

test('rejects a transfer coding other than chunked with 400, and closes the connection', async () => {
  for (const coding of ['gzip, chunked', 'identity, chunked', 'x-chunked, chunked']) {
    const head = `${JSON_QUOTE}transfer-encoding: ${coding}`
    const answer = await sendRaw(server.port, `${head}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
    assertRefused(answer, 400)
    assert.match(answer, /\r\nconnection: close\r\n/)
  }
  const chunked = `${JSON_QUOTE}transfer-encoding: Chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
  assert.match(await sendRaw(server.port, chunked), /^HTTP\/1.1 200 /)
})

test('rejects a body by its headers before asking for it, and closes the connection', async () => {
  for (const headers of [
    'content-type: text/plain\r\ncontent-length: 2',
    'content-length: 2',
    'content-type: application/json\r\ncontent-length: 16385',
    'content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 2',
  ]) {
    const answer = await sendRaw(server.port, `${QUOTE}expect: 100-continue\r\n${headers}\r\n\r\n`)
    assertRefused(answer, 400)
    assert.match(answer, /\r\nconnection: close\r\n/)
  }
  const unknown = await sendRaw(
    server.port,
    'POST /nowhere HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
  )
  assertRefused(unknown, 404)
})

test('asks once for an acceptable body that waits for 100-continue, and reads it', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${JSON_QUOTE}expect: 100-continue\r\ncontent-length: ${BODY.length}\r\n\r\n`)
  const [first] = await once(socket, 'data')
  assert.equal(String(first), 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write(BODY)
  const [second] = await once(socket, 'data')
  assert.match(String(second), /^HTTP\/1.1 200 /)
  socket.destroy()
})

test('closes a connection that never sent a byte without an answer', async () => {
  const hasty = await startTableServer({ times: HASTY })
  const socket = connect(hasty.port, '127.0.0.1')
  let received = ''
  socket.on('data', (part) => {
    received += String(part)
  })
  await once(socket, 'close')
  assert.equal(received, '')
  await hasty.close()
})

test('answers 404 to a path with invalid percent encoding', async () => {
  for (const path of ['/%', '/%zz', '/v1/rfq/%E0%A4%A', '/v1/rfq/chains%'])
    assertRefused(await sendRaw(server.port, `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`), 404)
})

test('OPTIONS lists the methods of an existing path, and of the server as a whole', async () => {
  const allowOf = async (target: string): Promise<string | undefined> => {
    const answer = await sendRaw(server.port, `OPTIONS ${target} HTTP/1.1\r\nhost: a\r\n\r\n`)
    assert.match(answer, /^HTTP\/1.1 204 /, target)
    return /\r\nallow: (.*)\r\n/.exec(answer)?.[1]
  }
  assert.equal(await allowOf('/v1/rfq/quote'), 'POST, OPTIONS')
  assert.equal(await allowOf('/v1/rfq/tokens?chain=x'), 'GET, HEAD, OPTIONS')
  assert.equal(await allowOf('*'), 'GET, HEAD, POST, OPTIONS')
  assertRefused(await sendRaw(server.port, 'OPTIONS /nowhere HTTP/1.1\r\nhost: a\r\n\r\n'), 404)
})

test('gzips quotes and statuses for clients that accept it', async () => {
  const ask = async (head: string, body = ''): Promise<{ head: string; body: Buffer }> => {
    const answer = Buffer.from(
      await sendRaw(server.port, `${head}accept-encoding: gzip\r\n\r\n${body}`),
      'latin1',
    )
    const cut = answer.indexOf('\r\n\r\n') + 4
    return { head: answer.subarray(0, cut).toString(), body: answer.subarray(cut) }
  }
  const quotes = await ask(`${JSON_QUOTE}content-length: ${BODY.length}\r\n`, BODY)
  assert.match(quotes.head, /\r\ncontent-encoding: gzip\r\n/)
  assert.match(quotes.head, /\r\nvary: accept-encoding\r\n/)
  const [quote] = QuoteAnswer.parse(JSON.parse(gunzipSync(quotes.body).toString())).quotes
  assert.ok(quote)
  const status = await ask(`GET /v1/rfq/status?quoteId=${quote.quoteId} HTTP/1.1\r\nhost: a\r\n`)
  assert.equal(Status.parse(JSON.parse(status.body.toString())).state, 'AWAITING_DEPOSIT')
  assert.doesNotMatch(status.head, /content-encoding/)
})

test('a client holds at most 512 connections: one more replaces its longest idle one', async () => {
  const limited = await startTableServer()
  const open = async () => {
    const socket = connect(limited.port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const asked = await open()
  asked.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(asked, 'data')
  const idle = await open()
  const others = await Promise.all(Array.from({ length: 510 }, open))
  const cut = once(asked, 'close')
  const late = await open()
  await cut
  late.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
  const [answer] = await once(late, 'data')
  assert.match(String(answer), /^HTTP\/1.1 200 /)
  assert.equal(idle.destroyed, false)
  for (const socket of [asked, idle, late, ...others]) socket.destroy()
  await limited.close()
})

test('behind a proxy connections are not counted per client', async () => {
  const proxied = await startTableServer({ trustProxy: true })
  const sockets = Array.from({ length: 600 }, () => connect(proxied.port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const last = sockets.at(-1) ?? assert.fail()
  last.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(last, 'data')
  assert.ok(sockets.every((socket) => !socket.closed))
  for (const socket of sockets) socket.destroy()
  await proxied.close()
})
