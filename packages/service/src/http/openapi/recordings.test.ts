import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, ErrorCode, type Quote, QuoteAnswer, Status, StatusState } from '@openrfq/sdk'
import { decodeFunctionData, erc20Abi, isHex } from 'viem'
import { assertDescribed } from '../../../test/described-answer.ts'
import { assertDocumented } from '../../../test/documented-answer.ts'
import { QuoteRequest } from '../../core/order.ts'
import { OPERATIONS } from '../operations.ts'
import { RECORDINGS } from './recordings.ts'

const QUOTES = RECORDINGS.filter(
  ({ operationId, status }) => operationId === 'requestQuotes' && status === 200,
)
const STATUSES = RECORDINGS.filter(({ operationId, status }) => operationId === 'getStatus' && status === 200)

for (const { operationId, name, status, answer } of RECORDINGS)
  test(`the recorded ${operationId} ${name} matches the SDK's schemas and openapi.json`, () => {
    const operation = OPERATIONS.find((one) => one.operationId === operationId)
    assert.ok(operation)
    const url = `http://127.0.0.1${operation.path}`
    assertDocumented(url, status, answer)
    assertDescribed(url, operation.method === 'GET' ? 'get' : 'post', status, answer)
  })

test('every described answer with a schema, and with events, is recorded', () => {
  const described = OPERATIONS.flatMap(({ operationId, answers }) =>
    Object.entries(answers).flatMap(([status, { content }]) => {
      const isShown = content !== undefined && ('schema' in content || content.type === 'text/event-stream')
      return isShown ? [`${operationId} ${status}`] : []
    }),
  )
  const recorded = new Set(RECORDINGS.map(({ operationId, status }) => `${operationId} ${status}`))
  assert.deepEqual(
    described.filter((one) => !recorded.has(one)),
    [],
  )
})

test('the openings of a quote are recorded, and the refusal of a recipient', () => {
  const quotes = QUOTES.flatMap(({ answer }) => QuoteAnswer.parse(answer).quotes)
  const methods = quotes.flatMap(({ backend }) =>
    backend.type === 'intent' ? (backend.metadata.openings ?? []).map(({ method }) => method) : [],
  )
  assert.ok(methods.length > 0)
  const reasons = RECORDINGS.map(({ answer }) => Object(answer).error?.details.reasonCode)
  assert.ok(reasons.includes('no_account'))
})

test('every error code, family, backend and state are recorded', () => {
  const names = RECORDINGS.map(({ name }) => name)
  assert.deepEqual(
    ErrorCode.options.filter((code) => !names.includes(code)),
    [],
  )
  const quotes = QUOTES.flatMap(({ answer }) => QuoteAnswer.parse(answer).quotes)
  const payloads = new Set(quotes.flatMap(({ actions }) => actions.map(({ payload }) => payload.type)))
  assert.deepEqual([...payloads].toSorted(), ['deposit_address', 'evm_transaction', 'solana_instructions'])
  const statuses = STATUSES.map(({ answer }) => Status.parse(answer))
  const missing = StatusState.options.filter((state) => !statuses.some((status) => status.state === state))
  assert.deepEqual(missing, [])
  for (const one of [quotes, statuses]) {
    const backends = new Set(one.map(({ backend }) => backend?.type).filter((type) => type !== undefined))
    assert.deepEqual([...backends].toSorted(), ['gateway', 'gateway-express', 'intent', 'its'])
  }
})

test('a recorded request gets its recorded answer', () => {
  for (const { body, answer } of QUOTES) {
    const request = QuoteRequest.parse(body)
    for (const { input, output } of QuoteAnswer.parse(answer).quotes) {
      const fixed = request.orderType === 'EXACT_INPUT' ? input.amount : output.amount
      assert.deepEqual(
        [input.chain, output.chain, fixed],
        [request.fromChain, request.toChain, String(request.amount)],
      )
    }
  }
  for (const { query, answer } of STATUSES) {
    const { quoteId, source } = Status.parse(answer)
    assert.equal(query?.['quoteId'], quoteId)
    if (query?.['messageId'] !== undefined) assert.equal(source?.messageId, query['messageId'])
  }
})

/** Reads an action as a wallet would. */
const read = ({ input }: Quote, { type, payload }: Action): void => {
  if (payload.type === 'solana_instructions')
    for (const { data } of payload.instructions)
      assert.equal(Buffer.from(data, 'base64').toString('base64'), data)
  if (payload.type === 'deposit_address')
    assert.deepEqual([payload.amount, payload.token], [input.amount, input.token])
  if (payload.type !== 'evm_transaction') return
  assert.ok(isHex(payload.data))
  if (type !== 'approval') return
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: payload.data })
  assert.deepEqual([functionName, String(args?.[1]), payload.to], ['approve', input.amount, input.token])
}

test('wallets can read the actions of every recorded quote', () => {
  for (const { answer } of QUOTES)
    for (const quote of QuoteAnswer.parse(answer).quotes)
      for (const action of quote.actions) read(quote, action)
})
