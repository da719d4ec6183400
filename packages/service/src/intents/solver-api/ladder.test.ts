import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import { type Ladder, priceOn, rangeOf } from './ladder.ts'
import type { Rung } from './protocol.ts'

const rung = (input: bigint, output: bigint, fee = 0n): Rung => ({
  input: baseUnits(input),
  output: baseUnits(output),
  fee: baseUnits(fee),
})

/** The ladder of the worked example in docs/solver-protocol.md. */
const LADDER: Ladder = [rung(1_000n, 990n, 5n), rung(10_000n, 9_850n, 50n), rung(100_000n, 97_000n, 900n)]

const plain = (price: ReturnType<typeof priceOn>): readonly bigint[] | undefined =>
  price && [price.input, price.output, price.fee]

test('prices exactly on a rung, linearly between two, rounded against the user, and not outside', () => {
  for (const [orderType, amount, expected] of [
    ['EXACT_INPUT', 999n, undefined],
    ['EXACT_INPUT', 1_000n, [1_000n, 990n, 5n]],
    ['EXACT_INPUT', 1_001n, [1_001n, 990n, 5n]],
    ['EXACT_INPUT', 5_500n, [5_500n, 5_420n, 27n]],
    ['EXACT_INPUT', 10_000n, [10_000n, 9_850n, 50n]],
    ['EXACT_INPUT', 99_999n, [99_999n, 96_999n, 899n]],
    ['EXACT_INPUT', 100_000n, [100_000n, 97_000n, 900n]],
    ['EXACT_INPUT', 100_001n, undefined],
    ['EXACT_OUTPUT', 989n, undefined],
    ['EXACT_OUTPUT', 990n, [1_000n, 990n, 5n]],
    ['EXACT_OUTPUT', 991n, [1_002n, 991n, 5n]],
    ['EXACT_OUTPUT', 97_000n, [100_000n, 97_000n, 900n]],
    ['EXACT_OUTPUT', 97_001n, undefined],
  ] as const) {
    assert.deepEqual(plain(priceOn(LADDER, orderType, amount)), expected, `${orderType} ${amount}`)
  }
})

test('a ladder of one rung prices only that amount', () => {
  const ladder: Ladder = [rung(5n, 4n)]
  assert.deepEqual(plain(priceOn(ladder, 'EXACT_INPUT', 5n)), [5n, 4n, 0n])
  assert.equal(priceOn(ladder, 'EXACT_INPUT', 6n), undefined)
  assert.equal(priceOn(ladder, 'EXACT_OUTPUT', 3n), undefined)
  assert.deepEqual(rangeOf(ladder, 'EXACT_INPUT', 4n), { minimum: 5n, maximum: 5n })
  assert.equal(rangeOf(ladder, 'EXACT_INPUT', 3n), undefined)
})

const steps = fc.bigInt({ min: 1n, max: 1n << 90n })
const ladders: fc.Arbitrary<Ladder> = fc
  .array(fc.record({ input: steps, output: steps, fee: fc.bigInt({ min: 0n, max: 1n << 80n }) }), {
    minLength: 1,
    maxLength: 32,
  })
  .map((rises) => {
    let [input, output] = [0n, 0n]
    const [first = rung(1n, 1n), ...more] = rises.map((rise) => {
      input += rise.input
      output += rise.output
      return rung(input, output, rise.fee)
    })
    return [first, ...more]
  })

/** An amount within a side's range of the ladder. */
const within = (ladder: Ladder, side: 'input' | 'output', share: bigint): BaseUnits => {
  const first = ladder[0][side]
  return baseUnits(first + (((ladder.at(-1) ?? ladder[0])[side] - first) * share) / 1_000_000n)
}
const shares = fc.bigInt({ min: 0n, max: 1_000_000n })

const outputAt = (ladder: Ladder, input: bigint): bigint =>
  priceOn(ladder, 'EXACT_INPUT', input)?.output ?? assert.fail(`no price at ${input}`)

test('a larger input never gets a smaller output, and no output exceeds the line between its rungs', () => {
  fc.assert(
    fc.property(ladders, shares, shares, (ladder, one, other) => {
      const [low, high] = [
        within(ladder, 'input', one < other ? one : other),
        within(ladder, 'input', one < other ? other : one),
      ]
      assert.ok(outputAt(ladder, low) <= outputAt(ladder, high))
      const index = ladder.findLastIndex(({ input }) => input <= low)
      const [lower, upper] = [ladder[index] ?? ladder[0], ladder[index + 1]]
      if (upper === undefined) return
      const exact = (low - lower.input) * (upper.output - lower.output)
      const rounded = (outputAt(ladder, low) - lower.output) * (upper.input - lower.input)
      assert.ok(rounded <= exact && exact - rounded < upper.input - lower.input)
    }),
    { numRuns: 2_000 },
  )
})

test('the input of an exact output is the smallest that the ladder pays that output for', () => {
  fc.assert(
    fc.property(ladders, shares, (ladder, share) => {
      const wanted = within(ladder, 'output', share)
      const price = priceOn(ladder, 'EXACT_OUTPUT', wanted) ?? assert.fail()
      assert.equal(price.output, wanted)
      assert.ok(outputAt(ladder, price.input) >= wanted)
      if (price.input > ladder[0].input) assert.ok(outputAt(ladder, price.input - 1n) < wanted)
    }),
    { numRuns: 2_000 },
  )
})

test('the bounds are quoted within the available inventory, and one more is not', () => {
  const types = fc.constantFrom('EXACT_INPUT' as const, 'EXACT_OUTPUT' as const)
  fc.assert(
    fc.property(ladders, types, shares, (ladder, orderType, share) => {
      const available = within(ladder, 'output', share)
      const { minimum, maximum } = rangeOf(ladder, orderType, available) ?? assert.fail()
      for (const amount of [minimum, maximum]) {
        const price = priceOn(ladder, orderType, amount) ?? assert.fail(`no price at ${amount}`)
        assert.ok(price.output <= available)
      }
      const beyond = priceOn(ladder, orderType, maximum + 1n)
      assert.ok(beyond === undefined || beyond.output > available)
      assert.equal(priceOn(ladder, orderType, minimum - 1n), undefined)
      assert.equal(rangeOf(ladder, orderType, ladder[0].output - 1n), undefined)
    }),
    { numRuns: 2_000 },
  )
})

test('the fee between rungs lies between theirs', () => {
  fc.assert(
    fc.property(ladders, shares, (ladder, share) => {
      const input = within(ladder, 'input', share)
      const index = ladder.findLastIndex((each) => each.input <= input)
      const [one, other] = [ladder[index] ?? ladder[0], ladder[index + 1] ?? ladder[index] ?? ladder[0]]
      const { fee } = priceOn(ladder, 'EXACT_INPUT', input) ?? assert.fail()
      assert.ok(fee >= (one.fee < other.fee ? one.fee : other.fee))
      assert.ok(fee <= (one.fee < other.fee ? other.fee : one.fee))
    }),
    { numRuns: 1_000 },
  )
})
