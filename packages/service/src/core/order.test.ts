import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QuoteRequest } from './order.ts'

const request = {
  fromChain: 'eip155:1',
  fromToken: '0x1',
  toChain: 'eip155:2',
  toToken: '0x2',
  amount: '1',
  orderType: 'EXACT_INPUT',
  sender: '0x3',
  recipient: '0x4',
}
const accepts = (change: Record<string, unknown>): boolean =>
  QuoteRequest.safeParse({ ...request, ...change }).success

test('an amount is a positive decimal integer of at most 2^256 - 1', () => {
  const largest = (2n ** 256n - 1n).toString()
  for (const amount of ['1', '10', largest]) assert.ok(accepts({ amount }), amount)
  for (const amount of [
    '0',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1 ',
    '',
    (2n ** 256n).toString(),
    1,
    null,
  ])
    assert.ok(!accepts({ amount }), String(amount))
})

test('any number is a valid slippageTolerance, and anything else counts as omitted', () => {
  const readTolerance = (slippageTolerance: unknown): unknown =>
    QuoteRequest.parse({ ...request, slippageTolerance }).slippageTolerance
  for (const tolerance of [0, -5, 0.1, 1e308, Number.POSITIVE_INFINITY, Number.NaN])
    assert.equal(readTolerance(tolerance), tolerance)
  for (const other of [undefined, null, '100', true, {}]) assert.equal(readTolerance(other), undefined)
})

test('unknown fields are ignored at the top level and rejected inside options, and options may be null', () => {
  assert.ok(accepts({ surprise: 1 }))
  assert.ok(accepts({ options: {} }))
  assert.ok(accepts({ options: { approvalMode: 'MAX' } }))
  assert.ok(!accepts({ options: { approvalMode: 'MAX', surprise: 1 } }))
  assert.ok(!accepts({ options: { approvalMode: 'max' } }))
  assert.ok(accepts({ options: null }))
})

test('every required field is required, and every chain is CAIP-2', () => {
  for (const field of Object.keys(request)) assert.ok(!accepts({ [field]: undefined }), field)
  for (const chain of ['1', 'eip155', 'eip155:', 'EIP155:1', `eip155:${'1'.repeat(33)}`, 'eip155:1 '])
    assert.ok(!accepts({ fromChain: chain }), chain)
})
