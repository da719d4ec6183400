import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestedFees } from './head-snapshot.ts'

test('a base fee and a tip of zero beside a gas price, as nodes of Hedera tell them, are no price', () => {
  const price = { maxFeePerGas: 850n, maxPriorityFeePerGas: 850n }
  assert.deepEqual(suggestedFees({ baseFee: 0n, tip: 0n, gasPrice: 850n }), price)
  assert.deepEqual(suggestedFees({ baseFee: 0n, tip: undefined, gasPrice: 850n }), price)
})

test('elsewhere the base fee and the tip decide', () => {
  const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  assert.deepEqual(suggestedFees({ baseFee: 0n, tip: 3n, gasPrice: 850n }), fees(3n, 3n))
  assert.deepEqual(suggestedFees({ baseFee: 7n, tip: 0n, gasPrice: 850n }), fees(14n, 0n))
  assert.deepEqual(suggestedFees({ baseFee: 0n, tip: 0n, gasPrice: 0n }), fees(0n, 0n))
})
