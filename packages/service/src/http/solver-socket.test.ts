import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { until } from '../../test/eventually.ts'
import { sendRaw } from '../../test/raw-request.ts'
import { startTableServer } from '../../test/table-server.ts'
import {
  assetKey,
  intentOrder,
  inventory,
  orderIdOf,
  pricedOrder,
  RICH,
  standingQuote,
} from '../../test/test-orders.ts'
import { KEYS, loginFrame, quotesFrame, readServiceMessage, solverOf } from '../../test/test-solver.ts'
import { createBook } from '../intents/solver-api/book.ts'
import { encodeSolverMessage, type ServiceMessage } from '../intents/solver-api/protocol.ts'
import { createSolverDirectory } from '../intents/solver-api/solver-directory.ts'
import { createSolverNetwork } from '../intents/solver-api/solver-network.ts'
import { systemClock } from '../lib/clock.ts'

const [key] = KEYS
assert.ok(key)
const SOLVER = solverOf(key, 'cheap')

const startSolverServer = async () => {
  const directory = createSolverDirectory([SOLVER])
  const book = createBook({ directory, assetKey, ...systemClock })
  const network = createSolverNetwork({
    directory,
    terms: { quoteLifetimeSeconds: 60, fillWindowSeconds: 600, refundDelaySeconds: 7_200 },
    book,
    service: 'test',
    randomNonce: () => `0x${randomBytes(32).toString('hex')}`,
    now: Date.now,
    log: () => {},
  })
  network.open()
  const server = await startTableServer({ solvers: network })
  after(() => server.close())
  return { ...server, book, network, address: `ws://127.0.0.1:${server.port}/v1/solver` }
}

/** A WebSocket whose messages can be awaited one after another. */
const openPeer = async (address: string) => {
  const webSocket = new WebSocket(address)
  const heard: ServiceMessage[] = []
  webSocket.on('message', (frame) => heard.push(readServiceMessage(frame.toString())))
  webSocket.on('error', () => {})
  const closed = once(webSocket, 'close').then(([code]) => code as unknown)
  const hear = async (): Promise<ServiceMessage> => {
    while (heard.length === 0) await Promise.race([once(webSocket, 'message'), closed])
    return heard.shift() ?? assert.fail('closed before it said anything')
  }
  return { webSocket, hear, closed }
}

const logIn = async (address: string) => {
  const peer = await openPeer(address)
  const challenge = await peer.hear()
  assert.ok(challenge.type === 'challenge')
  peer.webSocket.send(await loginFrame(key, challenge))
  assert.equal((await peer.hear()).type, 'welcome')
  return { ...peer, challenge }
}

const UPGRADE = [
  'host: a',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  '\r\n',
].join('\r\n')

test('a solver connects at /v1/solver, quotes, is notified of its orders, and its quotes end with its connection', async () => {
  const { address, book, network } = await startSolverServer()
  const { webSocket, hear, challenge } = await logIn(address)
  webSocket.send(encodeSolverMessage({ type: 'inventory', assets: [...inventory(1_000n)] }))
  webSocket.send(await quotesFrame(key, challenge, 0, [standingQuote([[100n, 99n]])]))
  const offered = (): boolean => 'offers' in book.price(pricedOrder('EXACT_INPUT', 100n), RICH)
  await until(offered)
  const order = intentOrder(SOLVER, 99n, 2_000)
  assert.equal(network.notify(orderIdOf(1), order, true), true)
  assert.deepEqual(await hear(), { type: 'order', orderId: orderIdOf(1), order, final: true })
  webSocket.close()
  await until(() => !offered())
})

test('ignores other upgrade headers, and answers a bad handshake with an error body', async () => {
  const { port, url } = await startSolverServer()
  for (const [head, status] of [
    [`GET /v1/rfq/chains HTTP/1.1\r\n${UPGRADE}`, 200],
    [`GET /v1/solverless HTTP/1.1\r\n${UPGRADE}`, 404],
    ['GET /v1/solver HTTP/1.1\r\nhost: a\r\n\r\n', 426],
    [`GET /v1/solver HTTP/1.1\r\n${UPGRADE.replace('websocket', 'h2c')}`, 400],
    [`GET /v1/solver HTTP/1.1\r\n${UPGRADE.replace('version: 13', 'version: 12')}`, 400],
    [`POST /v1/solver HTTP/1.1\r\n${UPGRADE}`, 405],
  ] as const) {
    const answer = await sendRaw(port, head)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), head)
    if (status !== 200) assert.match(answer, /\{"error":\{"code":"INVALID_REQUEST","message":"/)
  }
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
})

test('without configured solvers /v1/solver answers 404', async () => {
  const server = await startTableServer()
  assert.match(await sendRaw(server.port, `GET /v1/solver HTTP/1.1\r\n${UPGRADE}`), /^HTTP\/1.1 404 /)
  await server.close()
})

test('closes the connection with a code for oversized, binary and malformed frames', async () => {
  const { address, port } = await startSolverServer()
  for (const [frame, code] of [
    ['x'.repeat(16_385), 1009],
    [Buffer.from('{}'), 1003],
    ['{}', 4401],
  ] as const) {
    const { webSocket, hear, closed } = await openPeer(address)
    await hear()
    webSocket.send(frame)
    assert.equal(await closed, code)
  }
  const socket = connectSocket(port, '127.0.0.1')
  socket.write(`GET /v1/solver HTTP/1.1\r\n${UPGRADE}`)
  await once(socket, 'data')
  socket.write(randomBytes(1_000))
  socket.resume()
  await once(socket, 'close')
})

test('disconnects a peer that does not answer pings', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const { address, book } = await startSolverServer()
  const lively = await logIn(address)
  const dead = new WebSocket(address, { autoPong: false })
  await once(dead, 'message')
  const cut = once(dead, 'close')
  context.mock.timers.tick(10_000)
  await Promise.all([once(dead, 'ping'), once(lively.webSocket, 'ping')])
  book.setInventory(SOLVER, inventory(1_000n))
  // The quotes come after the pong.
  lively.webSocket.send(await quotesFrame(key, lively.challenge, 0, [standingQuote([[100n, 99n]])]))
  await until(() => 'offers' in book.price(pricedOrder('EXACT_INPUT', 100n), RICH))
  const pinged = once(lively.webSocket, 'ping')
  context.mock.timers.tick(10_000)
  assert.deepEqual((await cut)[0], 1006)
  await pinged
  assert.equal(lively.webSocket.readyState, WebSocket.OPEN)
})

test('disconnects a peer that floods with pings', async () => {
  const { address } = await startSolverServer()
  const { webSocket, hear, closed } = await openPeer(address)
  await hear()
  for (let count = 0; count < 30; count += 1) webSocket.ping()
  assert.equal(await closed, 1006)
})

test('disconnects a solver that does not read', async () => {
  const { address, network } = await startSolverServer()
  const { webSocket } = await logIn(address)
  webSocket.pause()
  const order = intentOrder(SOLVER, 99n, 2_000)
  let told = 0
  while (network.notify(orderIdOf(told), order, false)) {
    told += 1
    assert.ok(told < 100_000)
    if (told % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(told > 100)
  webSocket.terminate()
})

test('holds at most 64 connections: a new one replaces the oldest without a login', async () => {
  const { address, network } = await startSolverServer()
  const solver = await logIn(address)
  const peers = []
  for (let count = 0; count < 63; count += 1) {
    const peer = await openPeer(address)
    await peer.hear()
    peers.push(peer)
  }
  const [oldest, second] = peers
  assert.ok(oldest && second)
  const late = await openPeer(address)
  await late.hear()
  assert.equal(await oldest.closed, 1006)
  assert.equal(second.webSocket.readyState, WebSocket.OPEN)
  assert.equal(solver.webSocket.readyState, WebSocket.OPEN)
  assert.equal(network.present().length, 1)
})

test('answers 429 with an error body to an address that connects too often', async () => {
  const { port } = await startSolverServer()
  const answers = await Promise.all(
    Array.from({ length: 105 }, () => sendRaw(port, `GET /v1/solver HTTP/1.1\r\n${UPGRADE}`)),
  )
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 429 '))
  assert.equal(refused.length, 5)
  assert.match(refused[0] ?? '', /"code":"RATE_LIMITED"/)
})

test('close notifies solvers and does not wait for them', async () => {
  const server = await startSolverServer()
  const { closed } = await logIn(server.address)
  const silent = connectSocket(server.port, '127.0.0.1')
  silent.write(`GET /v1/solver HTTP/1.1\r\n${UPGRADE}`)
  await once(silent, 'data')
  silent.pause()
  // Longer than any test may take.
  await server.close(86_400_000)
  assert.equal(await closed, 1001)
  silent.destroy()
})

test('a refused upgrade is an ordinary request: its connection is counted, and close does not wait for it', async () => {
  const { port, close } = await startSolverServer()
  const head = (fields: string): string => `GET /v1/solver HTTP/1.1\r\n${fields}${UPGRADE}`
  const refused = [
    [head('').replace('host: a\r\n', ''), 400],
    [head('host: b\r\n'), 400],
    [head('expect: foo\r\n'), 417],
    [head('transfer-encoding: gzip\r\n'), 400],
    [head('').replace('version: 13', 'version: 12'), 400],
    [head('').replace('HTTP/1.1', 'HTTP/1.0'), 426],
    ['CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 405],
  ] as const
  const sockets = []
  for (const [bytes, status] of refused) {
    const socket = connectSocket({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    sockets.push(socket)
    socket.write(bytes)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), new RegExp(`^HTTP/1.1 ${status} `), bytes)
  }
  // Longer than any test may take.
  await close(86_400_000)
  for (const socket of sockets) socket.destroy()
})
