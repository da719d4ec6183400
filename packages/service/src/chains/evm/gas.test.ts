import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { feesFromBase, feesFromGasPrice, replacementFees } from './gas.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 13n })
const fees = fc.oneof(
  fc.tuple(wei, wei).map(([base, tip]) => feesFromBase(base, tip)),
  wei.map(feesFromGasPrice),
)

test('a replacement raises both fees by more than an eighth and to at least the suggestion', () => {
  fc.assert(
    fc.property(fees, fees, (signed, suggested) => {
      const next = replacementFees(signed, suggested)
      if (next === undefined) return
      assert.ok(next.maxFeePerGas * 8n > signed.maxFeePerGas * 9n)
      assert.ok(next.maxPriorityFeePerGas * 8n > signed.maxPriorityFeePerGas * 9n)
      assert.ok(next.maxFeePerGas >= suggested.maxFeePerGas)
      assert.ok(next.maxPriorityFeePerGas >= suggested.maxPriorityFeePerGas)
      assert.ok(next.maxFeePerGas >= next.maxPriorityFeePerGas)
    }),
  )
})

test('a transaction that pays the present suggestion is not replaced', () => {
  fc.assert(fc.property(fees, (signed) => assert.equal(replacementFees(signed, signed), undefined)))
  assert.equal(replacementFees(feesFromBase(100n, 2n), feesFromBase(150n, 2n)), undefined)
  assert.equal(replacementFees(feesFromBase(100n, 2n), feesFromBase(50n, 1n)), undefined)
})

test('a base fee above the cap, or a higher tip, triggers a replacement', () => {
  assert.deepEqual(replacementFees(feesFromBase(100n, 8n), feesFromBase(208n, 8n)), {
    maxFeePerGas: 424n,
    maxPriorityFeePerGas: 10n,
  })
  assert.deepEqual(replacementFees(feesFromBase(100n, 8n), feesFromBase(100n, 9n)), {
    maxFeePerGas: 235n,
    maxPriorityFeePerGas: 10n,
  })
  assert.deepEqual(replacementFees(feesFromGasPrice(80n), feesFromGasPrice(81n)), {
    maxFeePerGas: 91n,
    maxPriorityFeePerGas: 91n,
  })
})
