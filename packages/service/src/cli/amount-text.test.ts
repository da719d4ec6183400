import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUnits } from '@openrfq/sdk'
import fc from 'fast-check'
import { type AmountUnits, parseAmount } from './amount-text.ts'

const AMOUNTS: readonly (readonly [string, number, AmountUnits | undefined, bigint])[] = [
  ['1500000', 6, undefined, 1_500_000n],
  ['1.5', 6, undefined, 1_500_000n],
  ['1.0', 6, undefined, 1_000_000n],
  ['0.000001', 6, undefined, 1n],
  ['1.50000000000', 6, undefined, 1_500_000n],
  ['1', 18, 'whole', 10n ** 18n],
  ['1', 18, 'base', 1n],
  ['7', 0, 'whole', 7n],
]

for (const [text, decimals, units, expected] of AMOUNTS)
  test(`reads ${text} of a token with ${decimals} decimals as ${expected}${units === undefined ? '' : ` in ${units} units`}`, () => {
    assert.equal(parseAmount(text, decimals, units), expected)
  })

for (const text of ['', '-1', '+1', '1.', '.5', '1e3', '0x10', '1,5', '1 000', '1.5.2', '١', '9'.repeat(79)])
  test(`rejects "${text.slice(0, 10)}" as an amount`, () => {
    assert.throws(() => parseAmount(text, 6), { name: 'UsageError', message: /not an amount/ })
  })

test('rejects more decimals than the token has instead of rounding', () => {
  assert.throws(() => parseAmount('1.0000001', 6), { name: 'UsageError', message: /more decimals.*6/ })
})

test('rejects a decimal point in base units', () => {
  assert.throws(() => parseAmount('1.0', 6, 'base'), { name: 'UsageError' })
})

test('formats base units as whole tokens without trailing zeros', () => {
  assert.deepEqual(
    [
      formatUnits(1_500_000n, 6),
      formatUnits(10n, 0),
      formatUnits(1n, 18),
      formatUnits(0n, 6),
      formatUnits(20n, 1),
    ],
    ['1.5', '10', '0.000000000000000001', '0', '2'],
  )
})

test('parses its own output to the same base units', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 36 }), (value, decimals) =>
      assert.equal(parseAmount(formatUnits(value, decimals), decimals, 'whole'), value),
    ),
  )
})
