import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { sendRaw } from '../../test/raw-request.ts'
import { startTableServer } from '../../test/table-server.ts'
import { CHAINS, TOKENS } from '../../test/table-use-cases.ts'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())
const { get } = createAsker(() => server.url)

test('GET /v1/rfq/chains lists the chains', async () => {
  const response = await get('/v1/rfq/chains?anything=%zz')
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { chains: CHAINS })
})

test('GET /v1/rfq/tokens filters by chain, backend and verified', async () => {
  for (const [query, expected] of [
    ['', TOKENS],
    ['?unknown=1&unknown=2', TOKENS],
    ['?chain=eip155:31338', TOKENS.slice(2)],
    ['?chain=eip155%3A31338', TOKENS.slice(2)],
    ['?backend=gateway', TOKENS.filter(({ backends }) => backends.includes('gateway'))],
    ['?backend=intent', []],
    ['?backend=own-bridge', []],
    ['?verified=true', TOKENS.filter(({ verified }) => verified)],
    ['?verified=false&chain=eip155:31337', [TOKENS[1]]],
  ] as const) {
    const response = await get(`/v1/rfq/tokens${query}`)
    assert.equal(response.status, 200, query)
    assert.deepEqual(await response.json(), { tokens: expected }, query)
  }
})

test('GET /v1/rfq/tokens rejects malformed filters and unsupported chains', async () => {
  for (const [query, message] of [
    ['chain=', /chain is ""; expected a CAIP-2/],
    ['chain=ethereum', /chain is "ethereum"/],
    ['chain', /chain/],
    ['backend=ITS', /backend is "ITS"; expected one of intent, its, gateway, gateway-express, own-bridge/],
    ['backend=', /backend/],
    ['verified=1', /verified is "1"; expected one of true, false/],
    ['verified=TRUE', /verified/],
    ['verified=', /verified/],
    ['verified=true&verified=true', /verified is given twice/],
    ['verified=true&%76erified=true', /verified is given twice/],
    ['chain=%zz', /percent/],
    ['other=%ff', /percent/],
  ] as const) {
    await assertError(await get(`/v1/rfq/tokens?${query}`), 400, 'INVALID_REQUEST', message)
  }
  await assertError(await get('/v1/rfq/tokens?chain=eip155:99'), 422, 'UNSUPPORTED_CHAIN')
  await assertError(await get('/v1/rfq/tokens?chain=eip155:99&verified=x'), 400, 'INVALID_REQUEST')
})

test('chains and tokens have a strong ETag, and answer 304 to a client that already holds them', async () => {
  for (const path of ['/v1/rfq/chains', '/v1/rfq/tokens?verified=true']) {
    const first = await get(path)
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^"[\w-]+"$/)
    assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
    assert.equal(first.headers.get('vary'), 'accept-encoding')
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(path, { 'if-none-match': known })
      assert.equal(again.status, 304)
      assert.equal(again.headers.get('etag'), tag)
      assert.equal(await again.text(), '')
    }
    assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

test('lists are gzipped for clients that accept it, under another ETag', async () => {
  const ask = (encoding: string): Promise<string> =>
    sendRaw(
      server.port,
      `GET /openapi.json HTTP/1.1\r\nhost: a\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`,
    )
  const [plain, gzipped] = await Promise.all([ask('identity'), ask('br, gzip')])
  const tagOf = (answer: string): string | undefined => /etag: (.*)\r/.exec(answer)?.[1]
  assert.match(gzipped, /content-encoding: gzip/)
  assert.notEqual(tagOf(plain), tagOf(gzipped))
  const bodyOf = (answer: string): Buffer =>
    Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1')
  assert.deepEqual(gunzipSync(bodyOf(gzipped)), bodyOf(plain))
})
