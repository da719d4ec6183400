import assert from 'node:assert/strict'
import { test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { CHEAP, CHEAP_KEY, createTestNetwork, DEAR, DEAR_KEY, type Peer } from '../../../test/test-network.ts'
import {
  intentOrder,
  inventory,
  orderIdOf,
  pricedOrder,
  RICH,
  standingQuote,
} from '../../../test/test-orders.ts'
import { loginFrame, quotesFrame } from '../../../test/test-solver.ts'
import { CLOSE_CODES, encodeSolverMessage, PROTOCOL_LIMITS } from './protocol.ts'

const STRANGER = privateKeyToAccount(`0x${'44'.repeat(32)}`)

const last = (peer: Peer): unknown => peer.heard.at(-1)

test('welcomes a solver that signs the challenge, with its terms and limits', async () => {
  const { enter, logins, network } = createTestNetwork()
  const peer = await enter()
  assert.deepEqual(last(peer), {
    type: 'welcome',
    solver: CHEAP,
    terms: { quoteLifetimeSeconds: 60, fillWindowSeconds: 600, refundDelaySeconds: 7_200 },
    limits: PROTOCOL_LIMITS,
  })
  assert.deepEqual([logins, network.present()], [[CHEAP], [CHEAP]])
})

test('rejects a first message that is not a valid login, and ends the connection', async () => {
  const { connect } = createTestNetwork()
  const other = { service: 'test', nonce: `0x${'9'.repeat(64)}` }
  for (const [frameFor, reason] of [
    [() => 'not json', 'login_expected'],
    [() => encodeSolverMessage({ type: 'inventory', assets: [...inventory(1n)] }), 'login_expected'],
    [(peer: Peer) => loginFrame(CHEAP_KEY, peer.challenge, { version: 3 }), 'unsupported_version'],
    [(peer: Peer) => loginFrame(STRANGER, peer.challenge), 'unknown_solver'],
    [(peer: Peer) => loginFrame(STRANGER, peer.challenge, { address: CHEAP.address }), 'bad_signature'],
    [() => loginFrame(CHEAP_KEY, other), 'bad_signature'],
    [(peer: Peer) => loginFrame(CHEAP_KEY, { ...peer.challenge, service: 'evil' }), 'bad_signature'],
    [
      (peer: Peer) => loginFrame(CHEAP_KEY, peer.challenge, { signature: `0x${'00'.repeat(65)}` }),
      'bad_signature',
    ],
    [
      (peer: Peer) => loginFrame(CHEAP_KEY, peer.challenge, { signature: `0x${'ff'.repeat(65)}` }),
      'bad_signature',
    ],
  ] as const) {
    const peer = connect()
    peer.say(await frameFor(peer))
    assert.deepEqual(last(peer), { type: 'rejected', reason })
    assert.equal(peer.closedWith(), CLOSE_CODES.loginFailed)
  }
})

test('disconnects a peer that does not log in within five seconds', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const peer = createTestNetwork().connect()
  context.mock.timers.tick(4_999)
  assert.equal(peer.closedWith(), undefined)
  context.mock.timers.tick(1)
  assert.deepEqual(last(peer), { type: 'rejected', reason: 'timeout' })
  assert.equal(peer.closedWith(), CLOSE_CODES.loginFailed)
})

test('offers signed quotes over declared inventory until the session ends', async () => {
  const { book, enter } = createTestNetwork()
  const peer = await enter()
  peer.say(encodeSolverMessage({ type: 'inventory', assets: [...inventory(1_000n)] }))
  peer.say(await quotesFrame(CHEAP_KEY, peer.challenge, 0, [standingQuote([[100n, 99n, 1n]])]))
  assert.equal(peer.heard.length, 2)
  const order = pricedOrder('EXACT_INPUT', 100n)
  assert.deepEqual(book.price(order, RICH), {
    offers: [{ solver: CHEAP, input: 100n, output: 99n, fee: 1n }],
  })
  peer.leave()
  assert.deepEqual(book.price(order, RICH), { declined: 'no_quotes' })
})

test('rejects an invalid message with its reason and without effect', async () => {
  const { book, enter } = createTestNetwork()
  const peer = await enter()
  const good = standingQuote([[100n, 99n]])
  peer.say(await quotesFrame(CHEAP_KEY, peer.challenge, 5, [good]))
  const descending = JSON.stringify({
    type: 'quotes',
    sequence: 8,
    signature: `0x${'00'.repeat(65)}`,
    pairs: [
      {
        ...good,
        ladder: [
          { input: '2', output: '2', fee: '0' },
          { input: '3', output: '2', fee: '0' },
        ],
      },
    ],
  })
  for (const [frame, reason, reference] of [
    [await quotesFrame(CHEAP_KEY, peer.challenge, 5, [good]), 'stale_sequence', '5'],
    [await quotesFrame(CHEAP_KEY, { ...peer.challenge, nonce: '0x' }, 6, [good]), 'bad_signature', '6'],
    [await quotesFrame(DEAR_KEY, peer.challenge, 6, [good]), 'bad_signature', '6'],
    [
      await quotesFrame(CHEAP_KEY, peer.challenge, 7, [{ ...good, toChain: 'eip155:1' }]),
      'unknown_asset',
      '7',
    ],
    [await quotesFrame(CHEAP_KEY, peer.challenge, 7, [good, good]), 'duplicate', '7'],
    [descending, 'malformed', '8'],
    [await loginFrame(CHEAP_KEY, peer.challenge), 'logged_in', null],
    [JSON.stringify({ type: 'decline', orderId: orderIdOf(1), reason: '' }), 'malformed', orderIdOf(1)],
    [
      JSON.stringify({ type: 'decline', orderId: orderIdOf(1), reason: 'a', more: 1 }),
      'malformed',
      orderIdOf(1),
    ],
    ['{"type":"decline","orderId":7,"reason":"a"}', 'malformed', null],
    ['[]', 'malformed', null],
    ['null', 'malformed', null],
    ['', 'malformed', null],
  ] as const) {
    peer.say(frame)
    const refused = last(peer)
    assert.ok(refused !== null && typeof refused === 'object' && 'message' in refused)
    assert.deepEqual(refused, { type: 'refused', reason, reference, message: refused.message }, frame)
  }
  peer.say(encodeSolverMessage({ type: 'inventory', assets: [...inventory(200n)] }))
  assert.ok('offers' in book.price(pricedOrder('EXACT_INPUT', 100n), RICH))
})

test('a newer login of the same solver replaces the session and all its quotes', async () => {
  const { book, enter, network } = createTestNetwork()
  const older = await enter()
  older.say(encodeSolverMessage({ type: 'inventory', assets: [...inventory(1_000n)] }))
  older.say(await quotesFrame(CHEAP_KEY, older.challenge, 0, [standingQuote([[100n, 99n]])]))
  const newer = await enter()
  assert.equal(older.closedWith(), CLOSE_CODES.replaced)
  assert.deepEqual(book.price(pricedOrder('EXACT_INPUT', 100n), RICH), { declined: 'no_quotes' })
  newer.say(encodeSolverMessage({ type: 'inventory', assets: [...inventory(1_000n)] }))
  newer.say(await quotesFrame(CHEAP_KEY, newer.challenge, 0, [standingQuote([[100n, 98n]])]))
  older.leave()
  assert.ok('offers' in book.price(pricedOrder('EXACT_INPUT', 100n), RICH))
  assert.deepEqual(network.present(), [CHEAP])
})

test('sends an order to the solver it names while that solver is connected', async () => {
  const { enter, network } = createTestNetwork()
  const peer = await enter()
  const order = intentOrder(CHEAP, 5n, 2_000)
  assert.equal(network.notify(orderIdOf(1), order, false), true)
  assert.deepEqual(last(peer), { type: 'order', orderId: orderIdOf(1), order, final: false })
  assert.equal(network.notify(orderIdOf(1), intentOrder(DEAR, 5n, 2_000), false), false)
  peer.leave()
  assert.equal(network.notify(orderIdOf(1), order, true), false)
})

test('passes a decline on with the solver that sent it', async () => {
  const { enter, declines } = createTestNetwork()
  const peer = await enter()
  peer.say(encodeSolverMessage({ type: 'decline', orderId: orderIdOf(3), reason: 'no gas' }))
  assert.deepEqual(declines, [[CHEAP, orderIdOf(3), 'no gas']])
})

test('passes a fill on with the solver that named it, and refuses one without a transaction', async () => {
  const { enter, fills } = createTestNetwork()
  const peer = await enter()
  const order = intentOrder(CHEAP, 5n, 2_000)
  peer.say(encodeSolverMessage({ type: 'fill', order, transaction: 'ab' }))
  assert.deepEqual(fills, [[CHEAP, order, 'ab']])
  for (const transaction of ['', 'a'.repeat(129)])
    peer.say(
      encodeSolverMessage({ type: 'fill', order, transaction: 'ab' }).replace('"ab"', `"${transaction}"`),
    )
  assert.equal(fills.length, 1)
})

test('ignores quotes that arrive after their solver has left', async () => {
  const { book, connect } = createTestNetwork()
  const peer = connect()
  peer.say(await loginFrame(CHEAP_KEY, peer.challenge))
  peer.say(encodeSolverMessage({ type: 'inventory', assets: [...inventory(1_000n)] }))
  const frame = await quotesFrame(CHEAP_KEY, peer.challenge, 0, [standingQuote([[100n, 99n]])])
  peer.leave()
  peer.say(frame)
  assert.deepEqual(book.price(pricedOrder('EXACT_INPUT', 100n), RICH), { declined: 'no_quotes' })
})

test('rejects more than 20 messages at once, and disconnects a peer that continues', async () => {
  const { enter, pass } = createTestNetwork()
  const peer = await enter()
  const frame = encodeSolverMessage({ type: 'inventory', assets: [...inventory(1n)] })
  for (let count = 0; count < 19; count += 1) peer.say(frame)
  assert.equal(peer.heard.length, 2)
  peer.say(frame)
  assert.deepEqual(last(peer), {
    type: 'refused',
    reason: 'rate_limited',
    message: 'expected at most 10 messages a second',
    reference: null,
  })
  pass(100)
  peer.say(frame)
  assert.equal(peer.heard.length, 3)
  for (let count = 0; count < 20; count += 1) peer.say(frame)
  assert.equal(peer.closedWith(), CLOSE_CODES.tooMany)
})

test('binary and oversized frames end the session', async () => {
  const { connect } = createTestNetwork()
  for (const [frame, code] of [
    [undefined, CLOSE_CODES.binaryFrame],
    ['é'.repeat(8_193), CLOSE_CODES.frameTooLarge],
  ] as const) {
    const peer = connect()
    peer.say(frame)
    assert.equal(peer.closedWith(), code)
  }
})

test('rejects a service name that solvers cannot sign', () => {
  assert.throws(() => createTestNetwork('two\nlines'), /ASCII/)
})

test('sends news only to sessions of version 2, and drops those beyond a bound', async () => {
  const { network, connect, pass } = createTestNetwork()
  const orderId = `0x${'b1'.repeat(32)}` as const
  const enter = async (version: number): Promise<Peer> => {
    const peer = connect()
    peer.say(await loginFrame(CHEAP_KEY, peer.challenge, { version }))
    return peer
  }
  const old = await enter(1)
  network.tell(CHEAP.address, { type: 'won', orderId })
  assert.deepEqual(typesOf(old), ['challenge', 'welcome'])
  const current = await enter(2)
  network.tell(DEAR.address, { type: 'lost', orderId })
  for (let count = 0; count < 1_000; count += 1) network.tell(CHEAP.address, { type: 'won', orderId })
  assert.deepEqual(typesOf(current).slice(0, 3), ['challenge', 'welcome', 'won'])
  assert.equal(current.heard.length, 202)
  pass(1_000)
  for (let count = 0; count < 1_000; count += 1) network.tell(CHEAP.address, { type: 'filled', orderId })
  assert.equal(current.heard.length, 252)
})

const typesOf = ({ heard }: Peer): readonly string[] => heard.map(({ type }) => type)
