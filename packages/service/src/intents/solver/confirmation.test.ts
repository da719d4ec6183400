import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usdPrice } from '../../pricing/usd.ts'
import { isDeepEnough } from './confirmation.ts'

const DOLLAR = { decimals: 6, usdPrice: usdPrice('1') ?? 1n }
const rules = {
  confirmations: [
    { upToUsd: '100', blocks: 1 },
    { upToUsd: '1000', blocks: 12 },
  ],
}
const deposit = (depthBlocks: bigint, amount: bigint) => ({
  isFinal: false,
  depthBlocks,
  amount,
  token: DOLLAR,
})

test('a final deposit is deep enough at any value', () => {
  assert.ok(
    isDeepEnough({ confirmations: [] }, { ...deposit(0n, 10n ** 30n), isFinal: true, token: undefined }),
  )
})

test('without a matching tier, or without a price, waits for finality', () => {
  assert.ok(!isDeepEnough({ confirmations: [] }, deposit(500n, 1n)))
  assert.ok(!isDeepEnough(rules, deposit(500n, 1_000_000_001n)))
  assert.ok(!isDeepEnough(rules, { ...deposit(500n, 1n), token: undefined }))
})

test('the first matching tier decides the number of confirmations', () => {
  assert.ok(!isDeepEnough(rules, deposit(0n, 100_000_000n)))
  assert.ok(isDeepEnough(rules, deposit(1n, 100_000_000n)))
  assert.ok(!isDeepEnough(rules, deposit(11n, 100_000_001n)))
  assert.ok(isDeepEnough(rules, deposit(12n, 1_000_000_000n)))
})
