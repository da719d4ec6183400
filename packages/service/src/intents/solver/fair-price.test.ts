import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHEAP, clockAt, FROM, intentOrder, orderIdOf, TO } from '../../../test/test-orders.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { usdPrice } from '../../pricing/usd.ts'
import { priceOn } from '../solver-api/ladder.ts'
import { assetKey, type SolverAsset } from './assets.ts'
import { createCommitments } from './commitments.ts'
import { Strategy } from './config.ts'
import { createFairPrice } from './fair-price.ts'
import { ladderOf } from './pricing.ts'

const PRICE = { decimals: 6, usdPrice: usdPrice('1') ?? 1n }
const asset = ({ chainId, address }: typeof FROM): SolverAsset => ({
  key: assetKey(chainId, address),
  chainId,
  address,
  symbol: 'USDC',
  isNative: false,
  isOnPaymentChain: false,
  price: PRICE,
})
const [INPUT, OUTPUT] = [asset(FROM), asset(TO)]
const UNIT = 10n ** 6n
const INVENTORY = 1_000_000n * UNIT
const LIFETIME_SECONDS = 60
/** Longer than a judge takes to call an order unfair. */
const GRACE_MS = 5_000

const orderOf = (input: bigint, output: bigint): IntentOrder => ({
  ...intentOrder(CHEAP, output, 1_800_000_000),
  inputAmount: baseUnits(input),
})

const open = (part: Parameters<typeof Strategy.parse>[0] = {}) => {
  const strategy = Strategy.parse(part)
  const clock = clockAt(1_000_000)
  const commitments = createCommitments(clock.now)
  commitments.setLifetime(LIFETIME_SECONDS)
  let free: bigint | undefined = INVENTORY
  let cost: bigint | undefined = 0n
  const fairPrice = createFairPrice({
    assets: new Map([INPUT, OUTPUT].map((one) => [one.key, one])),
    commitments,
    costs: { isKnowable: () => true, inUnitsOf: () => cost },
    freeOf: () => free,
    strategy,
    steady: clock.now,
  })
  return {
    clock,
    fairPrice,
    setFree: (amount: bigint | undefined) => {
      free = amount
    },
    setCost: (amount: bigint | undefined) => {
      cost = amount
    },
    ladder: (available: bigint) =>
      ladderOf({ input: PRICE, output: PRICE }, strategy, baseUnits(available), 0n),
    publish: (available: bigint) => {
      const ladder = ladderOf({ input: PRICE, output: PRICE }, strategy, baseUnits(available), 0n)
      commitments.publish({ from: INPUT, to: OUTPUT }, ladder, strategy.validForMs)
    },
    /** Judged when it is first seen, and again when the time to change its mind is over. */
    judge: (order: IntentOrder, number = 1, firstSeenAt = clock.now()) => {
      const seen = { orderId: orderIdOf(number), order, firstSeenAt }
      const first = fairPrice.isFair(seen)
      clock.set(clock.now() + GRACE_MS)
      return [first, fairPrice.isFair(seen)]
    },
  }
}

/** Attacks of an order that its depositor made itself: what the solver would lose, and what the rule is. */
const ATTACKS = [
  ['without the spread of its size', { maximumShareBps: 10_000 }, 1_000_000n * UNIT, 998_500n * UNIT],
  ['of the whole inventory', {}, 1_003_000n * UNIT, 999_999n * UNIT],
  ['of dust, whose gas is worth more', {}, 1_001n, 1_000n],
  ['just below the smallest that is quoted', {}, UNIT - 1n, 990_000n],
  ['above its worth', {}, 1_000n * UNIT, 1_000n * UNIT],
] as const

for (const [name, strategy, input, output] of ATTACKS)
  test(`a self-made order ${name} is not fair, also beside published prices`, () => {
    const { publish, judge } = open(strategy)
    publish(INVENTORY)
    assert.deepEqual(judge(orderOf(input, output)), [undefined, false])
  })

test('what a published ladder quotes is fair after the inventory is spent, and a unit more is not', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 2n * INVENTORY), fc.bigInt(0n, INVENTORY), (amount, left) => {
      const { publish, judge, ladder, setFree, clock } = open()
      const [first, ...others] = ladder(INVENTORY)
      assert.ok(first)
      const price = priceOn([first, ...others], 'EXACT_INPUT', amount)
      publish(INVENTORY)
      clock.set(clock.now() + LIFETIME_SECONDS * 1000)
      setFree(left)
      if (price === undefined) return
      assert.deepEqual(judge(orderOf(price.input, price.output)), [true, true])
      assert.equal(judge(orderOf(price.input, price.output + 1n), 2)[1], false)
    }),
    { numRuns: 200 },
  )
})

test('a price is not fair after a quote of it has ended, and stays so for an order that was seen in time', () => {
  const { publish, judge, setFree, clock } = open()
  const order = orderOf(100_000n * UNIT, 99_000n * UNIT)
  publish(INVENTORY)
  setFree(0n)
  assert.deepEqual(judge(order), [true, true])
  publish(0n)
  clock.set(clock.now() + 2 * LIFETIME_SECONDS * 1000)
  assert.deepEqual(judge(order), [true, true])
  assert.deepEqual(judge(order, 2), [undefined, false])
})

test('after a restart an order is fair if the solver would quote it now, and unknown while it cannot tell', () => {
  const { judge, setFree } = open()
  const order = orderOf(100_000n * UNIT, 99_000n * UNIT)
  setFree(undefined)
  assert.deepEqual(judge(order), [undefined, undefined])
  setFree(INVENTORY)
  assert.deepEqual(judge(order), [true, true])
  setFree(300_000n * UNIT)
  assert.deepEqual(judge(order), [undefined, false])
})

test('a self-made order leaves the solver what its gas costs now, to the unit, or is not fair', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 20n * UNIT), (cost) => {
      const { judge, setCost, ladder } = open()
      const [first] = ladder(INVENTORY)
      assert.ok(first)
      setCost(cost)
      const input = first.input + cost
      const output = (input * 9_985n) / 10_000n - cost
      // The spread of its size is at most a unit and a half bps of it.
      assert.equal(judge(orderOf(input, output - (input * 2n) / 10_000n))[1], output > 0n)
      assert.equal(judge(orderOf(input, output + 1n), 2)[1], false)
    }),
    { numRuns: 200 },
  )
})

test('a quoted order stays fair when gas has become dearer; another is unknown while the costs are', () => {
  const { judge, setCost, publish } = open()
  publish(INVENTORY)
  setCost(undefined)
  assert.deepEqual(judge(orderOf(1_000n * UNIT, 998n * UNIT)), [true, true])
  assert.deepEqual(judge(orderOf(1_000n * UNIT, 999n * UNIT), 2), [undefined, undefined])
  setCost(500n * UNIT)
  assert.deepEqual(judge(orderOf(1_000n * UNIT, 998n * UNIT), 3), [true, true])
  assert.deepEqual(judge(orderOf(1_000n * UNIT, 999n * UNIT), 4), [undefined, false])
})
