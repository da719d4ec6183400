import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits } from './amount.ts'
import { minimumAfterSlippage, toSlippage } from './slippage.ts'

const minimum = (amount: bigint, bps: number): bigint =>
  minimumAfterSlippage(baseUnits(amount), toSlippage(bps))

test('the minimum is the output less the tolerance, rounded down', () => {
  assert.equal(minimum(1_000_000n, 100), 990_000n)
  assert.equal(minimum(999n, 1), 998n)
  assert.equal(minimum(10n ** 30n, 0.5), 10n ** 30n - 5n * 10n ** 25n)
  assert.equal(minimum(10n ** 12n, 1e-7), 10n ** 12n - 10n)
})

test('any JSON number is a tolerance: below 0 counts as 0, above 10000 as 10000', () => {
  for (const bps of [-1, -0, 0, Number.NEGATIVE_INFINITY, Number.NaN]) assert.equal(minimum(77n, bps), 77n)
  for (const bps of [10_000, 10_001, 1e300, Number.POSITIVE_INFINITY]) assert.equal(minimum(77n, bps), 0n)
})

test('the minimum never exceeds the output and falls as the tolerance grows', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.double(),
      fc.double(),
      (amount, one, other) => {
        const [low, high] = one <= other ? [one, other] : [other, one]
        assert.ok(minimum(amount, low) <= amount)
        if (!Number.isNaN(one) && !Number.isNaN(other))
          assert.ok(minimum(amount, high) <= minimum(amount, low))
      },
    ),
  )
})
