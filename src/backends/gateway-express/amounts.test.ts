import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_BASE_UNITS } from '../../core/amount.ts'
import { pricedRange } from './amounts.ts'

const amount = fc.bigInt({ min: 1n, max: 10n ** 40n })

test('the bounds of what is priced are found to the unit', () => {
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      const [minimum, maximum] = one < other ? [one, other] : [other, one]
      const range = pricedRange((asked) =>
        asked < minimum ? 'too_small' : asked > maximum ? 'too_large' : 'priced',
      )
      assert.deepEqual(range, { minimum, maximum })
    }),
  )
})

test('what has no upper bound ends at the largest amount, and where nothing is priced there is no range', () => {
  assert.deepEqual(
    pricedRange((asked) => (asked < 5n ? 'too_small' : 'priced')),
    { minimum: 5n, maximum: MAX_BASE_UNITS },
  )
  assert.equal(
    pricedRange((asked) => (asked < 5n ? 'too_small' : 'too_large')),
    undefined,
  )
  assert.equal(
    pricedRange(() => 'too_small'),
    undefined,
  )
})
