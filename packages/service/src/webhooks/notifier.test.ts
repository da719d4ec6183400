import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { until } from '../../test/eventually.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import type { TransferNews } from '../core/notification.ts'
import { awaitingDeposit, type Transfer } from '../core/transfer.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { createNotifier, type Notifier, type NotifierDeps } from './notifier.ts'
import { Webhook } from './webhook.ts'

const HOUR_MS = 3_600_000

const directory = mkdtempSync(join(tmpdir(), 'openrfq-notifier-'))
let store: Store
before(async () => {
  store = await openSqliteStore({ directory, log: () => {} })
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }
type Respond = (received: Received, response: ServerResponse) => void

/** A receiver that answers by `respond`; it ends with the test. */
const startReceiver = async (t: TestContext, respond: Respond) => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const one = { headers: request.headers, body }
      received.push(one)
      respond(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  // CAST: a server on a TCP port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/hook` }
}

const accept: Respond = (_received, response) => response.writeHead(204).end()

const settingsOf = (url: string, secret = `whsec_${randomBytes(32).toString('base64')}`) =>
  Webhook.parse({ url, secrets: [secret], privateAddresses: true })

/** A webhook with a name of its own, and transfers whose changes it is told; `clock.now` is set by the test. */
const createWorld = (t: TestContext) => {
  const name = randomBytes(8).toString('hex')
  const clock = { now: Date.now() }
  const logged: string[] = []
  const started: Notifier[] = []
  t.after(() => Promise.all(started.map(({ stop }) => stop())))
  return {
    name,
    clock,
    logged,
    start: (url: string, changes: Partial<NotifierDeps> = {}): Notifier => {
      const notifier = createNotifier({
        store,
        name,
        webhook: settingsOf(url),
        now: () => clock.now,
        log: (_level, event) => logged.push(event),
        ...changes,
      })
      started.push(notifier)
      void notifier.start()
      return notifier
    },
    /** Saves `count` changes of a new transfer. */
    change: async (count: number): Promise<Transfer> => {
      const [quote] = testAnswer(clock.now, BigInt(`0x${randomBytes(9).toString('hex')}`), 1)
      assert(quote !== undefined)
      let transfer: Transfer = awaitingDeposit(quote.quoteId, '')
      for (let revision = 1; revision <= count; revision += 1) {
        transfer = { ...transfer, revision, state: 'PENDING' }
        const eventId: string = `msg_${quote.quoteId}_${revision}`
        const body = JSON.stringify({ quoteId: quote.quoteId, revision })
        const news: TransferNews = { eventId, body, createdAt: clock.now, webhooks: [name] }
        assert.equal(await store.saveTransfer(transfer, news), true)
      }
      return transfer
    },
    ended: async (outcome: 'accepted' | 'abandoned'): Promise<number> =>
      (await store.listNotifications(name, outcome, 1_000)).length,
  }
}

const idOf = ({ headers }: Received): string => String(headers['webhook-id'])

test('tells every change of a transfer once, in order, as receivers verify by Standard Webhooks', async (t) => {
  const world = createWorld(t)
  const { received, url } = await startReceiver(t, accept)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const notifier = world.start(url, { webhook: settingsOf(url, secret) })
  const transfers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(() => world.change(3)))
  notifier.wake()
  await until(async () => (await world.ended('accepted')) === 30)
  assert.equal(received.length, 30)
  for (const { quoteId } of transfers)
    assert.deepEqual(
      received.map(({ body }) => JSON.parse(body)).filter((told) => told.quoteId === quoteId),
      [1, 2, 3].map((revision) => ({ quoteId, revision })),
    )
  const verifier = new Verifier(secret)
  for (const { headers, body } of received) {
    const told = { 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '', ...headers }
    assert.deepEqual(verifier.verify(body, told), JSON.parse(body))
    assert.equal(headers['content-type'], 'application/json')
  }
})

test('sends again after growing pauses, with the same id and bytes, before later changes of the transfer', async (t) => {
  const world = createWorld(t)
  let failures = 4
  const { received, url } = await startReceiver(t, (_one, response) => {
    failures -= 1
    response.writeHead(failures >= 0 ? 500 : 200).end()
  })
  await world.change(2)
  const notifier = world.start(url)
  for (const pauseMs of [5_000, 10_000, 20_000, 40_000]) {
    const count = received.length + 1
    await until(() => received.length === count)
    await until(async () => (await store.listDueNotifications(world.name, world.clock.now, 1)).length === 0)
    const [later, first] = await store.listNotifications(world.name, 'pending', 2)
    assert.equal(first?.nextAttemptAt, world.clock.now + pauseMs)
    assert.equal(later?.nextAttemptAt, world.clock.now + pauseMs)
    assert.equal(first?.last?.result, 'HTTP 500')
    world.clock.now += pauseMs
    notifier.wake()
  }
  await until(async () => (await world.ended('accepted')) === 2)
  const [first, ...others] = received
  assert.equal(received.length, 6)
  assert.deepEqual(
    received.map(({ body }) => JSON.parse(body).revision),
    [1, 1, 1, 1, 1, 2],
  )
  for (const again of others.slice(0, 4)) {
    assert.equal(again.body, first?.body)
    assert.equal(again.headers['webhook-id'], first?.headers['webhook-id'])
  }
  assert.deepEqual(world.logged, ['webhook_refuses', 'webhook_accepts'])
  assert.deepEqual(notifier.counts(), { accepted: 2, refused: 4 })
})

test('waits as long as a receiver asks, and six hours at most', async (t) => {
  for (const [retryAfter, waitedMs] of [
    ['120', 120_000],
    ['1', 5_000],
    ['99999999999', 6 * HOUR_MS],
    ['soon', 5_000],
  ] as const) {
    const world = createWorld(t)
    const { url } = await startReceiver(t, (_one, response) =>
      response.writeHead(429, { 'retry-after': retryAfter }).end(),
    )
    await world.change(1)
    world.start(url)
    await until(async () => (await store.listNotifications(world.name, 'pending', 1))[0]?.attempts === 1)
    const [pending] = await store.listNotifications(world.name, 'pending', 1)
    assert.equal(pending?.nextAttemptAt, world.clock.now + waitedMs, retryAfter)
  }
})

test('follows no redirect of any status', async (t) => {
  const elsewhere = await startReceiver(t, accept)
  for (const status of [301, 302, 303, 307, 308]) {
    const world = createWorld(t)
    const { url } = await startReceiver(t, (_one, response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    )
    await world.change(1)
    const notifier = world.start(url)
    await until(() => notifier.counts().refused === 1)
    await until(async () => (await store.listNotifications(world.name, 'pending', 1))[0]?.attempts === 1)
    const [pending] = await store.listNotifications(world.name, 'pending', 1)
    assert.equal(pending?.last?.result, `HTTP ${status}`)
  }
  assert.equal(elsewhere.received.length, 0)
})

test('cuts off an endless answer and counts it as refused', async (t) => {
  const world = createWorld(t)
  const { url } = await startReceiver(t, (_one, response) => {
    response.writeHead(200)
    const pour = (): void => {
      if (!response.destroyed) response.write('x'.repeat(16_384), () => setImmediate(pour))
    }
    pour()
  })
  await world.change(1)
  const notifier = world.start(url)
  await until(() => notifier.counts().refused === 1)
  await until(async () => (await store.listNotifications(world.name, 'pending', 1))[0]?.attempts === 1)
  const [pending] = await store.listNotifications(world.name, 'pending', 1)
  assert.match(pending?.last?.result ?? '', /^TOO_LARGE: /)
})

test('a receiver that never answers delays no other one and no stop, and is told again', async (t) => {
  const [silent, other] = [createWorld(t), createWorld(t)]
  const hanging = await startReceiver(t, () => undefined)
  const good = await startReceiver(t, accept)
  for (let index = 0; index < 20; index += 1) await silent.change(1)
  const waiting = silent.start(hanging.url)
  await until(() => hanging.received.length === 8)
  await other.change(3)
  other.start(good.url)
  await until(async () => (await other.ended('accepted')) === 3)
  assert.equal(hanging.received.length, 8)
  await waiting.stop()
  for (const { last } of await store.listNotifications(silent.name, 'pending', 20))
    if (last !== undefined) assert.match(last.result, /^UNREACHABLE: /, 'the stop waited for the deadline')
  silent.clock.now += 60_000
  silent.start(good.url)
  await until(async () => (await silent.ended('accepted')) === 20)
})

test('abandons a notification after 24 attempts in three days, says so, and goes on with the next one', async (t) => {
  const world = createWorld(t)
  let isUp = false
  const { received, url } = await startReceiver(t, (_one, response) =>
    response.writeHead(isUp ? 200 : 503).end(),
  )
  await world.change(2)
  const startedAt = world.clock.now
  const notifier = world.start(url)
  for (let attempts = 1; attempts < 24; attempts += 1) {
    await until(
      async () => (await store.listNotifications(world.name, 'pending', 2))[1]?.attempts === attempts,
    )
    const [, first] = await store.listNotifications(world.name, 'pending', 2)
    world.clock.now = first?.nextAttemptAt ?? 0
    notifier.wake()
  }
  await until(async () => (await world.ended('abandoned')) === 1)
  const days = (world.clock.now - startedAt) / (24 * HOUR_MS)
  assert.ok(days > 2.5 && days < 3.5, `${days} days`)
  await until(async () => world.logged.includes('notification_abandoned'))
  isUp = true
  world.clock.now += 6 * HOUR_MS
  notifier.wake()
  await until(async () => (await world.ended('accepted')) === 1)
  assert.equal(JSON.parse(received.at(-1)?.body ?? '').revision, 2)
})

test('two processes tell a change once', async (t) => {
  const world = createWorld(t)
  const { received, url } = await startReceiver(t, accept)
  for (let index = 0; index < 20; index += 1) await world.change(2)
  world.start(url)
  world.start(url)
  await until(async () => (await world.ended('accepted')) === 40)
  assert.equal(new Set(received.map(idOf)).size, 40)
  assert.equal(received.length, 40)
})

test('what a killed process had sent without storing the answer is sent again, under the same id', async (t) => {
  const world = createWorld(t)
  const { received, url } = await startReceiver(t, accept)
  await world.change(2)
  const killed = createNotifier({
    store: { ...store, endAttempt: () => new Promise(() => undefined) },
    name: world.name,
    webhook: settingsOf(url),
    now: () => world.clock.now,
    log: () => undefined,
  })
  void killed.start()
  await until(() => received.length === 1)
  const next = world.start(url)
  await next.stop()
  assert.equal(received.length, 1)
  world.clock.now += 30_000
  world.start(url)
  await until(async () => (await world.ended('accepted')) === 2)
  const [one, again, second] = received.map(idOf)
  assert.equal(one, again)
  assert.notEqual(second, one)
  assert.equal(received.length, 3)
})

test('connects to no private address unless the operator allows it', async (t) => {
  const world = createWorld(t)
  const { received, url } = await startReceiver(t, accept)
  await world.change(1)
  const notifier = world.start(url, { webhook: { ...settingsOf(url), privateAddresses: false } })
  await until(() => notifier.counts().refused === 1)
  assert.equal(received.length, 0)
  await until(async () => (await store.listNotifications(world.name, 'pending', 1))[0]?.attempts === 1)
  const [pending] = await store.listNotifications(world.name, 'pending', 1)
  assert.equal(pending?.last?.result, 'UNREACHABLE: connection failed: NOT_PUBLIC')
})
