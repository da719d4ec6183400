import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amountFor, sumFeeInfo, transferFee } from './transfer-fee.ts'

const infos = fc
  .record({
    rate: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 18n })),
    minFee: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    span: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  })
  .map(({ rate, minFee, span }) => ({ rate, minFee, maxFee: minFee + span }))

test("takes both chains' flat fees when there is no rate", () => {
  const flat = (fee: bigint) => ({ rate: 0n, minFee: fee, maxFee: fee * 100n })
  assert.equal(transferFee(sumFeeInfo(flat(1_500_000n), flat(10_000_000n)), 10n ** 18n), 11_500_000n)
})

test('adds the terms of both chains', () => {
  const source = { rate: 5n, minFee: 10n, maxFee: 100n }
  const destination = { rate: 2n, minFee: 20n, maxFee: 300n }
  assert.deepEqual(sumFeeInfo(source, destination), { rate: 7n, minFee: 30n, maxFee: 400n })
})

test('limits the rate by minimum and maximum', () => {
  const info = { rate: 10n ** 15n, minFee: 100n, maxFee: 1_000n }
  assert.equal(transferFee(info, 99_999n), 100n)
  assert.equal(transferFee(info, 500_999n), 500n)
  assert.equal(transferFee(info, 10n ** 9n), 1_000n)
})

test('finds the smallest amount that delivers enough', () => {
  fc.assert(
    fc.property(infos, fc.bigInt({ min: 1n, max: 10n ** 30n }), (info, received) => {
      const arrives = (amount: bigint): bigint => amount - transferFee(info, amount)
      const amount = amountFor(info, received)
      assert.ok(arrives(amount) >= received)
      assert.ok(amount === 0n || arrives(amount - 1n) < received)
    }),
  )
})
