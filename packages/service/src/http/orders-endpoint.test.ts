import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { QuoteAnswer } from '@openrfq/sdk'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { startTableServer } from '../../test/table-server.ts'
import { createTableUseCases, GOOD_REQUEST } from '../../test/table-use-cases.ts'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())
const { get, post } = createAsker(() => server.url)

const GOOD = { quoteId: 'quote_unknown', method: 'erc3009', signatures: [`0x${'11'.repeat(65)}`] }
const PATH = '/v1/rfq/orders'
const orders = (change: Readonly<Record<string, unknown>>): Promise<Response> =>
  post(PATH, JSON.stringify({ ...GOOD, ...change }))

test('POST /v1/rfq/orders rejects a body that names no quote, method or signatures, and unknown members', async () => {
  for (const change of [
    { quoteId: undefined },
    { quoteId: 'a b' },
    { quoteId: 'a'.repeat(129) },
    { method: undefined },
    { method: 'ERC3009' },
    { method: ['erc3009'] },
    { signatures: undefined },
    { signatures: [] },
    { signatures: '0x11' },
    { signatures: ['0x'] },
    { signatures: ['0x1'] },
    { signatures: ['11'] },
    { signatures: ['0xzz'] },
    { signatures: [null] },
    { signatures: [`0x${'11'.repeat(2_049)}`] },
    { signatures: ['0x11', '0x11', '0x11'] },
    { signatures: Array.from({ length: 1_000 }, () => '0x11') },
    { signatures: [`0x${'11'.repeat(20_000)}`] },
    { signatures: [`0x${'11'.repeat(600_000)}`] },
    { typedData: {} },
  ])
    await assertError(await orders(change), 400, 'INVALID_REQUEST')
  for (const body of ['', '[]', 'null', '{', '"quote"', '{"quoteId":"a","quoteId":"b"}'])
    await assertError(await post(PATH, body), 400, 'INVALID_REQUEST')
})

test('POST /v1/rfq/orders rejects an unknown quote, and one of a backend that opens no orders', async () => {
  const answer = await post('/v1/rfq/quote', JSON.stringify(GOOD_REQUEST))
  const { quotes } = QuoteAnswer.parse(await answer.json())
  const known = quotes[0]?.quoteId
  assert.ok(known !== undefined)
  for (const quoteId of ['quote_unknown', `quote_${'0'.repeat(26)}`, known])
    await assertError(await orders({ quoteId }), 400, 'INVALID_REQUEST')
})

test('a service whose operator opens no orders has no such endpoint, and does not describe it', async () => {
  const without = await startTableServer({ useCases: { ...createTableUseCases(), openOrder: undefined } })
  try {
    const asker = createAsker(() => without.url)
    assert.equal((await asker.post(PATH, JSON.stringify(GOOD))).status, 404)
    const [described, own] = await Promise.all([get('/openapi.json'), asker.get('/openapi.json')])
    assert.match(await described.text(), /\/v1\/rfq\/orders/)
    assert.doesNotMatch(await own.text(), /"\/v1\/rfq\/orders"/)
  } finally {
    await without.close()
  }
})
