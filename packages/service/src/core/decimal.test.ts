import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseUnitsCeil, parseUnitsFloor } from './decimal.ts'

test("reads decimal text exactly, rounded as the function's name says", () => {
  assert.equal(parseUnitsFloor('2500.5', 18), 2_500_500_000_000_000_000_000n)
  assert.equal(parseUnitsFloor('0.1234567', 6), 123_456n)
  assert.equal(parseUnitsCeil('0.1234561', 6), 123_457n)
  assert.equal(parseUnitsCeil('1.5e-7', 8), 15n)
  assert.equal(parseUnitsFloor('2E+3', 0), 2000n)
})

test('rejects text that is not a non-negative decimal', () => {
  for (const text of ['', '-1', '.5', '1.', '1,5', 'NaN', 'Infinity', '0x10', '1e999', ' 1'])
    assert.equal(parseUnitsFloor(text, 18), undefined, text)
})

test('reads every finite JSON number as written', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e20, noNaN: true }), (value) => {
      const scaled = parseUnitsFloor(String(value), 36)
      if (scaled === undefined) return /e-\d{3}$/.test(String(value))
      return Math.abs(Number(scaled) / 1e36 - value) <= value * 1e-12 + 1e-36
    }),
  )
})
