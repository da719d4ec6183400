import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  QuoteAnswer,
  RecoveryAnswer,
  SearchAnswer,
  Status,
  TransferAnswer,
  TransfersAnswer,
} from '@openrfq/sdk'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { startTableServer } from '../../test/table-server.ts'
import { GOOD_REQUEST } from '../../test/table-use-cases.ts'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())
const { get, post } = createAsker(() => server.url)

const quote = (change: Readonly<Record<string, unknown>>): Promise<Response> =>
  post('/v1/rfq/quote', JSON.stringify({ ...GOOD_REQUEST, ...change }))

test('GET /v1/rfq/status answers NOT_FOUND with 200 for an unknown quoteId', async () => {
  const response = await get('/v1/rfq/status?quoteId=quote_unknown')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const status = Status.parse(await response.json())
  assert.equal(status.state, 'NOT_FOUND')
  assert.equal(status.quoteId, 'quote_unknown')
})

test('GET /v1/rfq/status finds an answered quote, with and without a message', async () => {
  const { quotes } = QuoteAnswer.parse(await (await quote({})).json())
  const id = quotes[0]?.quoteId
  for (const more of ['', '&messageId=0xab-0&sourceChain=eip155:31337']) {
    const status = Status.parse(await (await get(`/v1/rfq/status?quoteId=${id}${more}`)).json())
    assert.equal(status.state, 'AWAITING_DEPOSIT')
  }
})

test('GET /v1/rfq/status rejects a missing or malformed parameter', async () => {
  for (const query of [
    '',
    '?quoteId=',
    '?quoteId=a%20b',
    `?quoteId=${'a'.repeat(129)}`,
    '?quoteId=a&quoteId=a',
    '?quoteId=a&sourceChain=x',
    '?quoteId=a&sourceChain=',
    '?quoteId=a&messageId=',
    `?quoteId=a&messageId=${'a'.repeat(257)}`,
    '?quoteId=a&messageId=%00',
    '?quoteId=%',
  ]) {
    await assertError(await get(`/v1/rfq/status${query}`), 400, 'INVALID_REQUEST')
  }
})

test('GET /v1/rfq/transfer answers the kept quote with its status, and null for an unknown one', async () => {
  const { quotes } = QuoteAnswer.parse(await (await quote({})).json())
  const id = quotes[0]?.quoteId
  const known = TransferAnswer.parse(await (await get(`/v1/rfq/transfer?quoteId=${id}`)).json())
  assert.deepEqual([known.quote?.quoteId, known.status.state], [id, 'AWAITING_DEPOSIT'])
  assert.deepEqual(
    [known.quote?.sender, known.quote?.recipient, known.quote?.input.amount],
    [GOOD_REQUEST.sender, GOOD_REQUEST.recipient, GOOD_REQUEST.amount],
  )
  const unknown = TransferAnswer.parse(await (await get('/v1/rfq/transfer?quoteId=quote_unknown')).json())
  assert.deepEqual([unknown.quote, unknown.status.state], [null, 'NOT_FOUND'])
  await assertError(await get('/v1/rfq/transfer'), 400, 'INVALID_REQUEST')
})

test('GET /v1/rfq/transfers pages through the transfers of an address, and rejects malformed parameters', async () => {
  const sender = `0x${'d4'.repeat(20)}`
  for (let count = 0; count < 3; count += 1) await quote({ sender })
  const page = TransfersAnswer.parse(await (await get(`/v1/rfq/transfers?address=${sender}&limit=2`)).json())
  assert.deepEqual([page.transfers.length, page.next === null], [2, false])
  const none = TransfersAnswer.parse(await (await get('/v1/rfq/transfers?address=GNOBODY')).json())
  assert.deepEqual(none, { transfers: [], next: null })
  for (const query of [
    '',
    '?address=',
    '?address=a%20b',
    `?address=${'a'.repeat(129)}`,
    '?address=a&limit=0',
    '?address=a&limit=101',
    '?address=a&limit=1.5',
    '?address=a&limit=1e1',
    '?address=a&before=x',
    '?address=a&before=',
    '?address=a&address=b',
  ])
    await assertError(await get(`/v1/rfq/transfers${query}`), 400, 'INVALID_REQUEST')
})

test('GET /v1/rfq/search finds a quote by its id, nothing by an unknown text, and rejects malformed ones', async () => {
  const { quotes } = QuoteAnswer.parse(await (await quote({})).json())
  const id = quotes[0]?.quoteId
  const found = SearchAnswer.parse(await (await get(`/v1/rfq/search?text=${id}`)).json())
  assert.deepEqual(
    found.transfers.map(({ status }) => [status.quoteId, status.state]),
    [[id, 'AWAITING_DEPOSIT']],
  )
  for (const text of [`0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}-7`, 'quote_unknown'])
    assert.deepEqual(await (await get(`/v1/rfq/search?text=${text}`)).json(), { transfers: [] })
  for (const query of [
    '',
    '?text=',
    '?text=a%20b',
    '?text=%00',
    `?text=${'a'.repeat(257)}`,
    '?text=a&text=b',
  ])
    await assertError(await get(`/v1/rfq/search${query}`), 400, 'INVALID_REQUEST')
})

test('GET /v1/rfq/recovery answers the state of an unknown quote, and rejects malformed parameters', async () => {
  const unknown = RecoveryAnswer.parse(await (await get('/v1/rfq/recovery?quoteId=quote_unknown')).json())
  assert.deepEqual([unknown.state, unknown.recoveries], ['NOT_FOUND', []])
  for (const query of [
    '',
    '?quoteId=',
    '?quoteId=a&account=',
    '?quoteId=a&account=0x%00',
    `?quoteId=a&account=${'a'.repeat(129)}`,
    '?quoteId=a&account=b&account=b',
  ])
    await assertError(await get(`/v1/rfq/recovery${query}`), 400, 'INVALID_REQUEST')
})
