import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { openOwnStore } from '../../test/outbox-world.ts'
import { testDeposit } from '../../test/test-deposits.ts'
import { reservePort } from '../app/reserve-port.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import { createHeldDeposits } from '../service/held-deposits.ts'
import type { StoredPayment } from '../store/store.ts'
import { createMetricsServer } from './metrics-server.ts'

const NOW = Date.UTC(2026, 10, 23, 9)
const CHAIN = 'stellar:held'
const lines: string[] = []
let files: Awaited<ReturnType<typeof openOwnStore>>
let held: ReturnType<typeof createHeldDeposits>
let server: Lifecycle
let port = 0
const { get, post } = createAsker(() => `http://127.0.0.1:${port}`)

const deposits = Array.from(
  { length: 103 },
  (_, index): StoredPayment => ({
    ...testDeposit(index, { from: 'GSTRANGER', chainId: CHAIN }),
    ...{ role: 'deposit', orderId: undefined, quoteId: undefined, settled: false, confirmed: true },
  }),
)

before(async () => {
  files = await openOwnStore()
  held = createHeldDeposits({
    store: files.store(),
    now: () => NOW,
    log: (level, event) => lines.push(`${level} ${event}`),
  })
  await files.store().savePayments(CHAIN, { blockNumber: 1n, blockHash: '' }, deposits)
  for (const deposit of deposits) await held.hold(deposit, 'the account does not exist')
  const address = await reservePort({ host: '127.0.0.1', port: 0 })
  port = Object(address.address()).port
  server = createMetricsServer({
    address,
    metrics: { text: async () => 'up 1', contentType: 'text/plain', requestAnswered: () => {} },
    webhooks: {
      names: [],
      list: () => [],
      listNotifications: async () => [],
      repeat: async () => false,
      test: async () => ({ isAccepted: false, result: '' }),
    },
    heldDeposits: held,
    localAccess: { hosts: new Set(), origins: new Set() },
    now: Date.now,
    wallTime: Date.now,
    randomId: randomUUID,
    log: () => {},
  })
  await server.start()
})
after(async () => {
  await server.stop()
  await files.remove()
})

const release = (key: object): Promise<Response> => post('/held-deposits/release', JSON.stringify(key))

test('lists held deposits in pages and releases each once', async () => {
  await held.start()
  await held.stop()
  assert.equal(held.counts().get(CHAIN), 103)
  const first = Object(await (await get('/held-deposits')).json())
  assert.equal(first.deposits.length, 100)
  assert.deepEqual(first.deposits[0], {
    ...{ chainId: CHAIN, txHash: '0', position: 0, from: 'GSTRANGER', token: 'token', amount: '1000' },
    ...{ heldAt: '2026-11-23T09:00:00Z', why: 'the account does not exist' },
  })
  const rest = Object(await (await get(`/held-deposits?after=${first.next}`)).json())
  assert.deepEqual([rest.deposits.length, rest.next], [3, null])
  const key = { chainId: CHAIN, txHash: '0', position: 0 }
  const answer = await release(key)
  assert.deepEqual([answer.status, await answer.json()], [200, {}])
  await assertError(await release(key), 404, 'INVALID_REQUEST')
  const [freed] = await files.store().listUnmatchedDeposits(-1, 0, 10)
  assert.equal(freed?.txHash, '0')
  assert.equal(lines.filter((line) => line === 'info deposit_freed').length, 1)
})

test('answers bad input with an error of the closed list', async () => {
  for (const query of ['?after=x', '?after=a,b,c', `?after=a,b,${'9'.repeat(20)}`])
    await assertError(await get(`/held-deposits${query}`), 400, 'INVALID_REQUEST')
  const key = { chainId: CHAIN, txHash: '0', position: 0 }
  for (const bad of [
    {},
    { ...key, chainId: 'x' },
    { ...key, txHash: '\u0000' },
    { ...key, txHash: 'a'.repeat(200) },
    { ...key, position: -1 },
    { ...key, position: 1.5 },
    { ...key, position: 2 ** 40 },
    { ...key, more: 1 },
  ])
    await assertError(await release(bad), 400, 'INVALID_REQUEST')
  await assertError(await release({ ...key, txHash: 'unknown' }), 404, 'INVALID_REQUEST')
})

test('answers no page of another origin and no foreign host', async () => {
  assert.equal((await get('/held-deposits', { origin: 'https://evil.example' })).status, 403)
})
