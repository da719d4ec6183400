import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { QuoteAnswer } from '@openrfq/sdk'
import { assertError, createAsker } from '../../test/http-asker.ts'
import { startTableServer } from '../../test/table-server.ts'
import { GOOD_REQUEST, TOKENS } from '../../test/table-use-cases.ts'

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())
const { post } = createAsker(() => server.url)

const quote = (change: Readonly<Record<string, unknown>>): Promise<Response> =>
  post('/v1/rfq/quote', JSON.stringify({ ...GOOD_REQUEST, ...change }))

test('POST /v1/rfq/quote answers quotes that must not be cached', async () => {
  const response = await quote({})
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const { quotes } = QuoteAnswer.parse(await response.json())
  assert.equal(quotes[0]?.input.amount, GOOD_REQUEST.amount)
})

test('any JSON number is a slippageTolerance; unknown top-level fields are ignored', async () => {
  for (const text of ['0', '-1', '1e400', '-1e400', '50.5', '1e-7', '99999']) {
    const body = JSON.stringify(GOOD_REQUEST).replace('{', `{"slippageTolerance":${text},"unknown":[{}],`)
    assert.equal((await post('/v1/rfq/quote', body)).status, 200, text)
  }
})

test('an optional field that is null counts as omitted, as does any slippageTolerance that is no number', async () => {
  for (const slippageTolerance of [null, '100', true, [], {}, 'x'.repeat(1_000)])
    assert.equal((await quote({ slippageTolerance })).status, 200, JSON.stringify(slippageTolerance))
  for (const options of [null, { approvalMode: null }])
    assert.equal((await quote({ options })).status, 200, JSON.stringify(options))
})

test('options have defaults, and unknown fields inside them are rejected', async () => {
  for (const options of [{}, { approvalMode: 'EXACT' }, { approvalMode: 'MAX' }]) {
    assert.equal((await quote({ options })).status, 200)
  }
  const error = await assertError(
    await quote({ options: { approvalMode: 'MAX', speed: 1 } }),
    400,
    'INVALID_REQUEST',
    /options.speed is not a known field/,
  )
  assert.equal(error.details['field'], 'options.speed')
  const body = JSON.stringify(GOOD_REQUEST).replace('{', '{"options":{"__proto__":{"approvalMode":"MAX"}},')
  await assertError(await post('/v1/rfq/quote', body), 400, 'INVALID_REQUEST', /options/)
})

test('names an invalid field with its value and the expected one', async () => {
  for (const [change, field, message] of [
    [{ fromChain: undefined }, 'fromChain', /^fromChain is missing; expected a string$/],
    [{ fromChain: 'Ethereum' }, 'fromChain', /^fromChain is "Ethereum"; expected a CAIP-2/],
    [{ toChain: null }, 'toChain', /^toChain is null; expected a string$/],
    [{ toToken: '' }, 'toToken', /^toToken is ""; expected text that is not empty$/],
    [{ fromToken: 'x'.repeat(200) }, 'fromToken', /^fromToken is "x{79}…; expected at most 128 characters$/],
    [{ amount: 1 }, 'amount', /^amount is 1; expected a string$/],
    [{ amount: '0' }, 'amount', /^amount is "0"; expected a positive integer in base units/],
    [{ amount: '01' }, 'amount', /./],
    [{ amount: '-1' }, 'amount', /./],
    [{ amount: '1.5' }, 'amount', /./],
    [{ amount: '1e18' }, 'amount', /./],
    [{ amount: '١' }, 'amount', /./],
    [{ amount: (2n ** 256n).toString() }, 'amount', /expected an amount of at most 2\^256 - 1$/],
    [{ orderType: 'exact_input' }, 'orderType', /expected one of EXACT_INPUT, EXACT_OUTPUT$/],
    [{ options: [] }, 'options', /^options is an array; expected an object$/],
    [{ options: { approvalMode: 'ALL' } }, 'options.approvalMode', /expected one of EXACT, MAX$/],
  ] as const) {
    const error = await assertError(await quote(change), 400, 'INVALID_REQUEST', message)
    assert.equal(error.details['field'], field)
  }
})

test('checks the body first: a malformed field wins over an unsupported chain', async () => {
  await assertError(await quote({ fromChain: 'eip155:99', amount: 'x' }), 400, 'INVALID_REQUEST')
  await assertError(await quote({ fromChain: 'eip155:99' }), 422, 'UNSUPPORTED_CHAIN')
  await assertError(await quote({ toToken: '0x12' }), 422, 'UNSUPPORTED_TOKEN')
  await assertError(await quote({ toToken: TOKENS[2]?.address }), 422, 'UNSUPPORTED_ROUTE')
  await assertError(await quote({ amount: '1'.repeat(20) }), 422, 'AMOUNT_OUT_OF_RANGE')
})

test('a body that is not one unambiguous JSON object is INVALID_REQUEST', async () => {
  const good = JSON.stringify(GOOD_REQUEST)
  for (const body of ['', '[]', 'null', '"x"', '{', good.replace('{', '{"amount":"2",'), `\ufeff${good}`]) {
    await assertError(await post('/v1/rfq/quote', body), 400, 'INVALID_REQUEST')
  }
})

test('accepts only application/json in UTF-8', async () => {
  const body = JSON.stringify(GOOD_REQUEST)
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ]) {
    assert.equal((await post('/v1/rfq/quote', body, { 'content-type': type })).status, 200, type)
  }
  for (const type of ['text/plain', 'application/json; charset=utf-16', 'application/jsonx', '']) {
    await assertError(await post('/v1/rfq/quote', body, { 'content-type': type }), 400, 'INVALID_REQUEST')
  }
  const gzip = await post('/v1/rfq/quote', body, { 'content-encoding': 'gzip' })
  await assertError(gzip, 400, 'INVALID_REQUEST', /content-encoding/)
})

test('rejects bodies above 16 KiB, however large', async () => {
  const good = JSON.stringify(GOOD_REQUEST)
  const fill = (size: number): string => good.replace('{', `{"x":"${'x'.repeat(size - good.length - 7)}",`)
  assert.equal((await post('/v1/rfq/quote', fill(16_384))).status, 200)
  for (const size of [16_385, 100_000, 900_000]) {
    await assertError(await post('/v1/rfq/quote', fill(size)), 400, 'INVALID_REQUEST', /16384 bytes/)
  }
})
