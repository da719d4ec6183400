import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_BASE_UNITS } from '../../core/amount.ts'
import { pricedRange } from './amount-range.ts'

const amount = fc.bigInt({ min: 1n, max: 10n ** 40n })
const near = fc.record({
  minimum: fc.bigInt({ min: -1n, max: MAX_BASE_UNITS + 1n }),
  maximum: fc.bigInt({ min: -1n, max: MAX_BASE_UNITS + 1n }),
})

const between = (minimum: bigint, maximum: bigint) => (asked: bigint) =>
  asked < minimum ? 'too_small' : asked > maximum ? 'too_large' : 'priced'

test('pricedRange finds the exact bounds from any first guess', () => {
  fc.assert(
    fc.property(amount, amount, near, (one, other, guess) => {
      const [minimum, maximum] = one < other ? [one, other] : [other, one]
      assert.deepEqual(pricedRange(between(minimum, maximum), guess), { minimum, maximum })
    }),
  )
})

test('a search from bounds known up to rounding computes few prices', () => {
  fc.assert(
    fc.property(
      amount,
      fc.bigInt({ min: -2n, max: 2n }),
      fc.bigInt({ min: -2n, max: 2n }),
      (minimum, low, high) => {
        let prices = 0
        const priced = between(minimum, minimum * 1_000n)
        const count = (asked: bigint) => {
          prices += 1
          return priced(asked)
        }
        pricedRange(count, { minimum: minimum + low, maximum: minimum * 1_000n + high })
        assert.ok(prices <= 14, `${prices} prices`)
      },
    ),
  )
})

test('without an upper bound the range ends at the largest amount; without prices there is no range', () => {
  const anywhere = { minimum: 1n, maximum: 1n }
  assert.deepEqual(
    pricedRange((asked) => (asked < 5n ? 'too_small' : 'priced'), anywhere),
    { minimum: 5n, maximum: MAX_BASE_UNITS },
  )
  assert.equal(
    pricedRange((asked) => (asked < 5n ? 'too_small' : 'too_large'), anywhere),
    undefined,
  )
  assert.equal(
    pricedRange(() => 'too_small', anywhere),
    undefined,
  )
})
