import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTableServer } from '../../test/table-server.ts'
import { createTableUseCases } from '../../test/table-use-cases.ts'

const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>')
const NATIVE_OF_STELLAR = 'USDC:GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer({
    useCases: {
      ...createTableUseCases(),
      getLogo: async (chainId, token) =>
        chainId === 'eip155:1' && (token === undefined || token === NATIVE_OF_STELLAR)
          ? { type: 'image/svg+xml', bytes }
          : undefined,
    },
  })
})
after(() => server.close())

test('answers the logo of a chain and of a token under a policy that lets it run and load nothing', async () => {
  for (const path of ['eip155:1', `eip155:1/${encodeURIComponent(NATIVE_OF_STELLAR)}`]) {
    const answer = await fetch(`${server.url}/logos/${path}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox$/)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    assert.equal((await fetch(`${server.url}/logos/${path}`, { headers })).status, 304)
  }
})

test('answers 204 for every path without a logo', async () => {
  for (const path of [
    'eip155:2',
    'x',
    'eip155:1/0xA',
    'eip155:1/https:%2F%2Fevil.example',
    '%00',
    'a'.repeat(99),
  ]) {
    const answer = await fetch(`${server.url}/logos/${path}`)
    assert.equal(answer.status, 204, path)
    assert.equal(await answer.text(), '')
  }
})
