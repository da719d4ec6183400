import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { startTableServer } from '../../test/table-server.ts'

const NODE = 'http://127.0.0.1:8545'
const FILES = new Map([
  ['console.html', '<!doctype html><html lang="en"><title>c</title>'],
  ['transfer.html', '<!doctype html><html lang="en"><title>t</title>'],
  ['assets/transfer-ABC.js', 'run()'],
])

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer({ pages: { files: FILES, sandboxOrigins: [NODE], nodes: [] } })
})
after(() => server.close())
const { get } = createAsker(() => server.url)

test('a page runs its own scripts alone, and may not be framed, indexed or read by other origins', async () => {
  const page = await get('/t/quote_a?messageId=0xab')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/)
  assert.doesNotMatch(policy.replace(NODE, ''), /unsafe|https?:|\*/)
  assert.equal(page.headers.get('access-control-allow-origin'), null)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.equal(page.headers.get('cache-control'), 'no-cache')
})

test('in a sandbox the pages may ask its nodes; elsewhere they ask the service alone', async () => {
  for (const path of ['/', '/t/quote_a']) {
    const page = await get(path)
    assert.equal(page.status, 200)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /connect-src 'self' http:\/\/127\.0\.0\.1:8545;/)
    assert.match(await page.text(), /<html data-sandbox/)
  }
  const plain = await startTableServer({ pages: { files: FILES, sandboxOrigins: [], nodes: [] } })
  assert.equal(await (await fetch(`${plain.url}/`)).text(), FILES.get('console.html'))
  const { headers } = await fetch(`${plain.url}/t/quote_a`)
  assert.match(headers.get('content-security-policy') ?? '', /connect-src 'self';/)
  await plain.close()
})

test('the nodes that the operator names are told to the pages and allowed by their origins, without a sandbox', async () => {
  const nodes = [
    { chainId: 'solana:x', rpcUrl: 'https://node.example/$&?key="><script>1</script>', assets: [] },
    {
      chainId: 'stellar:x',
      rpcUrl: 'https://ledger.example/;script-src *',
      passphrase: 'It\'s <&> "one"',
      assets: [{ code: 'USDC', issuer: 'G' }],
    },
    { chainId: 'solana:y', rpcUrl: 'http://127.0.0.1:1/a', subscriptionsUrl: 'ws://127.0.0.1:2', assets: [] },
  ]
  const named = await startTableServer({ pages: { files: FILES, sandboxOrigins: [], nodes } })
  for (const path of ['/', '/t/quote_a']) {
    const page = await fetch(named.url + path)
    const policy = page.headers.get('content-security-policy') ?? ''
    const allowed =
      "connect-src 'self' https://node.example wss://node.example https://ledger.example wss://ledger.example http://127.0.0.1:1 ws://127.0.0.1:2;"
    assert.ok(policy.includes(` ${allowed} `), policy)
    assert.equal(policy.split('script-src').length, 2)
    const html = await page.text()
    assert.doesNotMatch(html, /data-sandbox|<script/)
    const [, written = ''] = /<html data-nodes="([^"]*)" lang/.exec(html) ?? []
    const text = written
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    assert.deepEqual(JSON.parse(text), nodes)
  }
  await named.close()
})

test('assets are kept for ever under their own type, and pages are revalidated', async () => {
  const asset = await get('/assets/transfer-ABC.js')
  assert.equal(asset.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
  assert.equal(await asset.text(), 'run()')
  const etag = (await get('/t/a')).headers.get('etag') ?? ''
  assert.equal((await get('/t/b', { 'if-none-match': etag })).status, 304)
})

test('only built files are served', async () => {
  for (const path of [
    '/assets/nothing.js',
    '/assets/transfer-ABC',
    '/assets/..%2ftransfer.html',
    '/assets/%2e%2e/transfer.html',
    '/assets/__proto__',
    '/assets/',
    '/t/',
    '/t',
    '/t/a/b',
    '/transfer.html',
  ])
    await assertError(await get(path), 404, 'INVALID_REQUEST')
})

test('the page of a transfer does not depend on its quote id, and a malformed id has no page', async () => {
  const page = await (await get('/t/quote_a')).text()
  for (const id of [
    '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
    '%00',
    '%0d%0aset-cookie:%20a',
    'a%2Fb',
    '__proto__',
    'constructor',
    '\u202e',
    'x'.repeat(100),
    '..%2f..%2fetc%2fpasswd',
    'a?messageId=%ff&sourceChain=%00',
    'a?a=1&a=2&quoteId=b',
  ]) {
    const response = await get(`/t/${id}`)
    assert.equal(response.status, 200, id)
    assert.equal(response.headers.get('set-cookie'), null)
    assert.equal(await response.text(), page, id)
  }
  for (const id of ['%ff', '%', '%e2%82', 'x'.repeat(101), 'a//b'])
    await assertError(await get(`/t/${id}`), 404, 'INVALID_REQUEST')
})

test('without pages there are none', async () => {
  const plain = await startTableServer()
  await assertError(await fetch(`${plain.url}/t/quote_a`), 404, 'INVALID_REQUEST')
  await plain.close()
})
