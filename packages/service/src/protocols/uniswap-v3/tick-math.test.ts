import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_TICK, MIN_TICK, sqrtPriceAtTick, squareRoot } from './tick-math.ts'

const Tick = fc.integer({ min: MIN_TICK, max: MAX_TICK })

test("the outermost ticks have the contracts' published prices", () => {
  assert.equal(sqrtPriceAtTick(MIN_TICK), 4_295_128_739n)
  assert.equal(sqrtPriceAtTick(MAX_TICK), 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n)
  assert.equal(sqrtPriceAtTick(0), 1n << 96n)
  for (const tick of [MIN_TICK - 1, MAX_TICK + 1, 0.5, Number.NaN])
    assert.throws(() => sqrtPriceAtTick(tick), RangeError)
})

test('the price grows by a ten-thousandth per tick', () => {
  fc.assert(
    fc.property(Tick, (tick) => {
      const price = Number(sqrtPriceAtTick(tick)) / 2 ** 96
      assert.ok(Math.abs(price / 1.0001 ** (tick / 2) - 1) < 1e-9)
      if (tick < MAX_TICK) assert.ok(sqrtPriceAtTick(tick) < sqrtPriceAtTick(tick + 1))
    }),
  )
})

test('a square root is the largest integer whose square is not above the value', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1n << 400n }), (square) => {
      const root = squareRoot(square)
      assert.ok(root * root <= square && (root + 1n) * (root + 1n) > square)
    }),
  )
})
