import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits } from '../../core/amount.ts'
import { usdPrice } from '../../pricing/usd.ts'
import { priceOn } from '../solver-api/ladder.ts'
import type { Rung } from '../solver-api/protocol.ts'
import { Strategy } from './config.ts'
import { ladderOf, type PricedPair, type PricedToken, unitsOfUsd } from './pricing.ts'

const token = (decimals: number, usd: string): PricedToken => ({ decimals, usdPrice: usdPrice(usd) ?? 1n })
const DOLLAR = token(6, '1')
const ETHER = token(18, '2500.5')
const strategy = (part: Partial<Strategy> = {}): Strategy => Strategy.parse(part)

const anyToken = fc
  .record({ decimals: fc.integer({ min: 0, max: 18 }), usd: fc.bigInt(10n ** 12n, 10n ** 23n) })
  .map(({ decimals, usd }): PricedToken => ({ decimals, usdPrice: usd }))
const anyPair = fc.record({ input: anyToken, output: anyToken })
const anyStrategy = fc
  .record({
    spreadBps: fc.integer({ min: 0, max: 1_000 }),
    volatilityBps: fc.integer({ min: 0, max: 1_000 }),
    sizeSpreadBps: fc.integer({ min: 0, max: 2_000 }),
    maximumShareBps: fc.integer({ min: 1, max: 10_000 }),
    fixedCostUsd: fc.constantFrom('0', '0.05', '3'),
  })
  .map(strategy)
const anyInventory = fc.bigInt(0n, 10n ** 30n).map(baseUnits)
const anyCost = fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 20n))

const ladderPrice = (ladder: readonly Rung[], input: bigint): bigint | undefined => {
  const [first, ...rest] = ladder
  return first === undefined ? undefined : priceOn([first, ...rest], 'EXACT_INPUT', input)?.output
}

test('a ladder ascends, has no negative fee, and stays within the inventory share', () => {
  fc.assert(
    fc.property(anyPair, anyStrategy, anyInventory, anyCost, (pair, how, available, cost) => {
      const ladder = ladderOf(pair, how, available, cost)
      for (const [position, { input, output, fee }] of ladder.entries()) {
        assert.ok(output * 10_000n <= available * BigInt(how.maximumShareBps))
        assert.ok(fee >= 0n && input > 0n && output > 0n)
        const before = ladder[position - 1]
        assert.ok(before === undefined || (input > before.input && output > before.output))
      }
    }),
    { numRuns: 500 },
  )
})

test('larger orders get no better price than smaller ones', () => {
  fc.assert(
    fc.property(
      fc.bigInt(10n ** 9n, 10n ** 15n),
      fc.integer({ min: 0, max: 2_000 }),
      (units, sizeSpreadBps) => {
        const ladder = ladderOf(
          { input: DOLLAR, output: DOLLAR },
          strategy({ sizeSpreadBps }),
          baseUnits(units),
          0n,
        )
        for (const [position, { input, output }] of ladder.entries()) {
          const before = ladder[position - 1]
          // Rounding may have cost the smaller output less than one unit.
          if (before !== undefined) assert.ok(output * before.input <= (before.output + 1n) * input)
        }
      },
    ),
  )
})

/** Mid price minus the fixed spreads and all costs, rounded down; the inventory does not matter; never below zero. */
const highestOutput = (
  { input, output }: PricedPair,
  how: Strategy,
  amount: bigint,
  liveCost = 0n,
): bigint => {
  const kept = BigInt(10_000 - how.spreadBps - how.volatilityBps)
  const worth = amount * input.usdPrice * 10n ** BigInt(output.decimals) * kept
  const paid = worth / (output.usdPrice * 10n ** BigInt(input.decimals) * 10_000n)
  const left = paid - unitsOfUsd(how.fixedCostUsd, output) - liveCost
  return left > 0n ? left : 0n
}

test("no amount between rungs gets more than the strategy's maximum", () => {
  fc.assert(
    fc.property(
      anyPair,
      anyStrategy,
      anyInventory,
      anyCost,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (pair, how, available, cost, part) => {
        const ladder = ladderOf(pair, how, available, cost)
        const [first, last] = [ladder[0], ladder.at(-1)]
        fc.pre(first !== undefined && last !== undefined)
        if (first === undefined || last === undefined) return
        const input =
          first.input + ((last.input - first.input) * BigInt(Math.floor(part * 2 ** 32))) / 2n ** 32n
        const output = ladderPrice(ladder, input)
        assert.ok(output !== undefined && output <= highestOutput(pair, how, input, cost))
      },
    ),
    { numRuns: 500 },
  )
})

test('a round trip loses at least the spread twice', () => {
  const available = (asset: PricedToken) => baseUnits(unitsOfUsd('1000000', asset))
  const pairs: readonly PricedPair[] = [
    { input: DOLLAR, output: ETHER },
    { input: ETHER, output: DOLLAR },
    { input: DOLLAR, output: DOLLAR },
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 2, max: 100_000 }),
      ({ input, output }, spreadBps, usd) => {
        const how = strategy({ spreadBps, volatilityBps: 0 })
        const amount = unitsOfUsd(String(usd * 2), input)
        const there = ladderPrice(ladderOf({ input, output }, how, available(output), 0n), amount)
        assert.ok(there !== undefined)
        const back = ladderPrice(ladderOf({ input: output, output: input }, how, available(input), 0n), there)
        assert.ok(back !== undefined)
        assert.ok(back * 10_000n ** 2n <= amount * BigInt(10_000 - spreadBps) ** 2n)
      },
    ),
  )
})

test('a price between two rungs with prices far apart stays within the strategy’s maximum', () => {
  // Found by the property above when the limit was rounded twice.
  const pair = {
    input: { decimals: 0, usdPrice: 10n ** 12n },
    output: { decimals: 0, usdPrice: 1_656_076_823_781n },
  }
  const how = strategy({ volatilityBps: 111, spreadBps: 0, sizeSpreadBps: 0, maximumShareBps: 2_495 })
  const ladder = ladderOf(pair, how, baseUnits(266_588_511_132_396_030_015_182_040_321n), 0n)
  const [first, last] = [ladder[0], ladder.at(-1)]
  assert.ok(first !== undefined && last !== undefined)
  const input = first.input + (last.input - first.input) / 2n ** 32n
  assert.ok((ladderPrice(ladder, input) ?? 0n) <= highestOutput(pair, how, input))
})

test('spreads, size, fixed and live costs are deducted from the mid price and shown as the fee', () => {
  const how = strategy({
    spreadBps: 10,
    volatilityBps: 5,
    sizeSpreadBps: 100,
    fixedCostUsd: '0.5',
    maximumShareBps: 5_000,
  })
  const ladder = ladderOf({ input: ETHER, output: DOLLAR }, how, baseUnits(1_000_000_000_000n), 250_000n)
  assert.equal(ladder.length, 12)
  const last = ladder.at(-1)
  // Half of the inventory: the margin is 15 bps plus half of 100 bps.
  assert.equal(last?.output, (500_000_000_000n * 9_935n) / 10_000n - 750_000n)
  assert.equal(last?.fee, 500_000_000_000n - (last?.output ?? 0n))
})

test('an inventory below the smallest order is not quoted', () => {
  const how = strategy({ minimumUsd: '10', maximumShareBps: 1_000 })
  assert.deepEqual(ladderOf({ input: DOLLAR, output: DOLLAR }, how, baseUnits(99_999_999n), 0n), [])
  assert.notDeepEqual(ladderOf({ input: DOLLAR, output: DOLLAR }, how, baseUnits(110_000_000n), 0n), [])
})

test('the smallest order pays the least that is quoted beside its costs, however dear these are', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 100_000_000n), (cost) => {
      const [first] = ladderOf(
        { input: DOLLAR, output: DOLLAR },
        strategy({ minimumUsd: '1', sizeSpreadBps: 0 }),
        baseUnits(10n ** 12n),
        cost,
      )
      assert.ok(first !== undefined)
      assert.equal(first.input, 1_000_000n + cost)
      // 15 bps of the input, rounded down.
      assert.equal(first.output, (first.input * 9_985n) / 10_000n - cost)
    }),
  )
})
