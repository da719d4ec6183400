import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import { assertError } from '../../test/http-asker.ts'
import { startTableServer } from '../../test/table-server.ts'
import { createReadBudget } from './read-budget.ts'

/** How many transfers each client got in a second in which all ask in turn. */
const secondOf = (
  budget: ReturnType<typeof createReadBudget>,
  clients: readonly string[],
): ReadonlyMap<string, number> => {
  const got = new Map(clients.map((client) => [client, 0]))
  for (let round = 0; round < 5; round += 1)
    for (const client of clients) {
      try {
        budget.expectLeft(client, 10)
        got.set(client, (got.get(client) ?? 0) + 10)
      } catch (error) {
        assert.ok(error instanceof RfqError && error.code === 'RATE_LIMITED')
      }
    }
  return got
}

test('a client that is alone has 1,000 transfers read at once, and goes on a second later', () => {
  let now = 0
  const budget = createReadBudget(() => now)
  for (let page = 0; page < 10; page += 1) budget.expectLeft('a', 100)
  assert.throws(() => budget.expectLeft('a', 1), { code: 'RATE_LIMITED', details: { retryAfterSeconds: 1 } })
  now = 60_000
  budget.expectLeft('a', 100)
})

test('however many clients ask, 2,000 transfers a second are read, and one that comes later gets some', () => {
  let now = 0
  const budget = createReadBudget(() => now)
  const crowd = Array.from({ length: 150 }, (_, index) => `client ${index}`)
  for (now = 0; now < 10_000; now += 1_000) {
    const total = [...secondOf(budget, crowd).values()].reduce((sum, got) => sum + got, 0)
    assert.ok(total <= 2_000, `${total} in second ${now}`)
  }
  budget.expectLeft('newcomer', 10)
})

test('GET /v1/rfq/transfers and /v1/rfq/search answer 429 RATE_LIMITED beyond a client’s share, unless limits are off', async () => {
  for (const rateLimited of [true, false]) {
    const server = await startTableServer({ rateLimited, now: () => 0 })
    const ask = (path: string): Promise<Response> => fetch(`${server.url}/v1/rfq/${path}`)
    for (let page = 0; page < 10; page += 1)
      assert.equal((await ask('transfers?address=GNOBODY&limit=100')).status, 200)
    const refused = [await ask('transfers?address=GNOBODY&limit=1'), await ask('search?text=nobody')]
    for (const answer of refused) {
      assert.equal(answer.status, rateLimited ? 429 : 200)
      if (!rateLimited) continue
      assert.equal(answer.headers.get('retry-after'), '1')
      await assertError(answer, 429, 'RATE_LIMITED')
    }
    assert.equal((await ask('transfers?address=a-b')).status, 400)
    assert.equal((await ask('chains')).status, 200)
    await server.close()
  }
})
