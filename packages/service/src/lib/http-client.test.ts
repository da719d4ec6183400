import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createHttpClient, type HttpClient, HttpFault, type HttpRequest } from './http-client.ts'

type Send = (request?: Partial<HttpRequest>) => ReturnType<HttpClient['send']>

const withServer = async (
  listener: RequestListener,
  use: (send: Send, url: URL, client: HttpClient) => Promise<void>,
): Promise<void> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a server on a TCP port has an address of this form.
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/some/path?with=query`)
  const client = createHttpClient()
  try {
    await use((request) => client.send({ url, deadlineMs: 60_000, maxBytes: 100, ...request }), url, client)
  } finally {
    client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const faultOf = async (sent: Promise<unknown>): Promise<HttpFault> => {
  try {
    await sent
  } catch (error) {
    assert.ok(error instanceof HttpFault, String(error))
    return error
  }
  assert.fail('an answer came')
}

test('posts JSON to path and query, gets without a body, and returns any status', () =>
  withServer(
    (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () =>
        response
          .writeHead(503)
          .end([request.method, request.url, request.headers['content-type'], body].join(' ')),
      )
    },
    async (send) => {
      const path = '/some/path?with=query'
      assert.deepEqual(await send({ body: '{}' }), { status: 503, text: `POST ${path} application/json {}` })
      assert.deepEqual(await send(), { status: 503, text: `GET ${path}  ` })
    },
  ))

test("sends the URL's credentials, and no error contains them", () =>
  withServer(
    (request, response) => response.end(request.headers.authorization),
    async (send, url, client) => {
      const secret = new URL(url)
      secret.username = 'user'
      secret.password = 'p@ss'
      assert.equal((await send({ url: secret })).text, `Basic ${btoa('user:p@ss')}`)
      client.close()
      const fault = await faultOf(send({ url: secret }))
      assert.equal(fault.code, 'UNREACHABLE')
      assert.ok(!fault.message.includes('user') && !fault.message.includes(url.host))
      assert.equal(fault.cause, undefined)
    },
  ))

test('follows no redirects', () =>
  withServer(
    (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    async (send) => assert.equal((await send()).status, 302),
  ))

test('reads an answer of the maximum size, and rejects one that is a byte longer', () =>
  withServer(
    (request, response) => response.end('x'.repeat(request.method === 'POST' ? 101 : 100)),
    async (send) => {
      assert.equal((await send()).text.length, 100)
      assert.equal((await faultOf(send({ body: '' }))).code, 'TOO_LARGE')
      assert.equal((await send()).text.length, 100)
    },
  ))

test('the deadline includes the body', () =>
  withServer(
    (request, response) => {
      if (request.method === 'POST') response.write('x')
    },
    async (send) => {
      for (const body of ['{}', undefined])
        assert.equal((await faultOf(send({ deadlineMs: 50, ...(body ? { body } : {}) }))).code, 'TIMED_OUT')
    },
  ))

/** A server on a thread of its own, which answers once the other thread is busy. */
const LATE_SERVER = `
  const { createServer } = require('node:http')
  const { parentPort, workerData: steps } = require('node:worker_threads')
  const server = createServer((_, response) => {
    Atomics.store(steps, 0, 1)
    Atomics.wait(steps, 1, 0)
    response.end('here')
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('the deadline does not pass over an answer that waited while the process was busy', async () => {
  const steps = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(LATE_SERVER, { eval: true, workerData: steps })
  const client = createHttpClient()
  const { promise: port, resolve } = Promise.withResolvers<number>()
  worker.once('message', resolve)
  try {
    const url = new URL(`http://127.0.0.1:${await port}`)
    const answer = client.send({ url, deadlineMs: 4_000, maxBytes: 100 })
    while (Atomics.load(steps, 0) === 0) await new Promise((turned) => setImmediate(turned))
    Atomics.store(steps, 1, 1)
    Atomics.notify(steps, 1)
    Atomics.wait(steps, 0, 1, 4_200)
    assert.equal((await answer).text, 'here')
  } finally {
    client.close()
    await worker.terminate()
  }
})

test('an answer that breaks off is a fault and is not asked for again', async () => {
  let asked = 0
  await withServer(
    (_, response) => {
      asked += 1
      if (asked === 1) return response.end('whole')
      response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy())
    },
    async (send) => {
      assert.equal((await send({ body: '{}' })).text, 'whole')
      for (const request of [{ body: '{}' }, {}])
        assert.equal((await faultOf(send(request))).code, 'UNREACHABLE')
    },
  )
  assert.equal(asked, 3)
})

test('a request over a kept connection that the server has closed is sent again, once', async () => {
  let asked = 0
  await withServer(
    (request, response) => {
      asked += 1
      if (asked > 1 && asked !== 3) return request.socket.destroy()
      response.end(`${asked}`)
    },
    async (send) => {
      assert.equal((await send()).text, '1')
      assert.equal((await send()).text, '3')
      await faultOf(send())
      assert.equal(asked, 5)
    },
  )
})

test('closing breaks off what is under way and leaves no rejection unhandled', async () => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', listener)
  await withServer(
    () => undefined,
    async (send, _url, client) => {
      const sent = faultOf(send())
      await sleep(20)
      client.close()
      assert.equal((await sent).code, 'UNREACHABLE')
    },
  )
  await sleep(5)
  process.off('unhandledRejection', listener)
  assert.deepEqual(unhandled, [])
})

test('a server that is not there is a fault at once', async () => {
  const client = createHttpClient()
  const fault = await faultOf(
    client.send({ url: new URL('http://127.0.0.1:1/'), deadlineMs: 2_000, maxBytes: 1 }),
  )
  assert.deepEqual([fault.code, fault.message], ['UNREACHABLE', 'connection failed: ECONNREFUSED'])
  client.close()
})

test('sends the further headers of a request', () =>
  withServer(
    (request, response) => response.end(String(request.headers['x-api-key'])),
    async (send) => {
      assert.equal((await send({ headers: { 'x-api-key': 'mine' } })).text, 'mine')
      assert.equal((await send()).text, 'undefined')
    },
  ))
