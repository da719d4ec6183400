import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findPaths } from './path.ts'
import { bestPathForInput, bestPathForOutput, largestPathTrade } from './path-price.ts'
import { createDepth, type PoolState, wordOfTick } from './pool.ts'
import { largestTrade, priceExactInput, priceExactOutput } from './pool-price.ts'
import { sqrtPriceAtTick } from './tick-math.ts'

const ONE = '0x1111111111111111111111111111111111111111'
const TWO = '0x2222222222222222222222222222222222222222'
const SIX = '0x6666666666666666666666666666666666666666'
const ABC = '0xAbCdEf0000000000000000000000000000000001'

type Position = { readonly lower: number; readonly upper: number; readonly liquidity: bigint }

/** A pool with the given positions, known in the words from -1 to 1 and priced at a tick. */
const poolOf = (
  [token0, token1]: readonly [string, string],
  fee: number,
  tick: number,
  positions: readonly Position[],
): PoolState => {
  const nets = new Map<number, bigint>()
  for (const { lower, upper, liquidity } of positions) {
    nets.set(lower, (nets.get(lower) ?? 0n) + liquidity)
    nets.set(upper, (nets.get(upper) ?? 0n) - liquidity)
  }
  const ticks = [...nets].map(([at, liquidityNet]) => ({ tick: at, liquidityNet }))
  const active = positions.filter(({ lower, upper }) => lower <= tick && tick < upper)
  return {
    pool: { address: `0x${fee}`, token0, token1, fee, tickSpacing: 10 },
    sqrtPrice: sqrtPriceAtTick(tick),
    tick,
    liquidity: active.reduce((sum, { liquidity }) => sum + liquidity, 0n),
    depth: createDepth({ tickSpacing: 10, firstWord: -1, lastWord: 1, ticks }),
  }
}

const even = (pair: readonly [string, string], fee: number, liquidity: bigint): PoolState =>
  poolOf(pair, fee, 0, [{ lower: -2_000, upper: 2_000, liquidity }])

const expectPrice = <Price>(price: Price | string): Price => {
  if (typeof price === 'string') assert.fail(price)
  return price
}

/** One side of a price; zero where there is none. */
const amountOf = (price: ReturnType<typeof bestPathForInput>, side: 'amountIn' | 'amountOut'): bigint =>
  typeof price === 'string' ? 0n : price[side]

const Positions = fc.array(
  fc
    .tuple(
      fc.integer({ min: -250, max: 250 }),
      fc.integer({ min: 1, max: 200 }),
      fc.bigInt({ min: 1n, max: 10n ** 24n }),
    )
    .map(([lower, width, liquidity]) => ({ lower: lower * 10, upper: (lower + width) * 10, liquidity })),
  { minLength: 1, maxLength: 12 },
)
const AnyPool = fc
  .tuple(fc.constantFrom(0, 100, 500, 3000, 10_000), fc.integer({ min: -2_000, max: 2_000 }), Positions)
  .map(([fee, tick, positions]) => poolOf([ONE, TWO], fee, tick, positions))

test('a tick belongs to the bitmap word that holds its bit', () => {
  assert.deepEqual(
    [-2_561, -2_560, -10, -1, 0, 9, 2_559, 2_560].map((tick) => wordOfTick(tick, 10)),
    [-2, -1, -1, -1, 0, 0, 0, 1],
  )
})

test('trading back never returns more than went in', () => {
  fc.assert(
    fc.property(
      AnyPool,
      fc.boolean(),
      fc.bigInt({ min: 1n, max: 10n ** 24n }),
      (pool, zeroForOne, amount) => {
        const there = priceExactInput(pool, zeroForOne, amount)
        if (there === undefined || there.amountOut === 0n) return
        const dearest = priceExactOutput(pool, zeroForOne, there.amountOut)
        assert.ok(dearest !== undefined && dearest.amountIn <= amount)
        const again = priceExactInput(pool, zeroForOne, dearest.amountIn)
        assert.ok(again !== undefined && again.amountOut >= there.amountOut)
      },
    ),
  )
})

test('a larger input never gives less, and prices exist exactly up to the largest trade', () => {
  fc.assert(
    fc.property(AnyPool, fc.boolean(), fc.integer({ min: 1, max: 1_000 }), (pool, zeroForOne, part) => {
      const { amountIn, amountOut } = largestTrade(pool, zeroForOne)
      if (amountIn === 0n) return assert.equal(priceExactInput(pool, zeroForOne, 1n), undefined)
      assert.equal(priceExactInput(pool, zeroForOne, amountIn)?.amountOut, amountOut)
      assert.equal(priceExactInput(pool, zeroForOne, amountIn + 1n), undefined)
      assert.equal(priceExactOutput(pool, zeroForOne, amountOut + 1n), undefined)
      const less = (amountIn * BigInt(part)) / 1_000n
      if (less > 0n) assert.ok((priceExactInput(pool, zeroForOne, less)?.amountOut ?? -1n) <= amountOut)
    }),
  )
})

test("an amount that is zero or above the contracts' limit has no price", () => {
  const pool = even([ONE, TWO], 500, 10n ** 20n)
  for (const amount of [0n, -1n, 1n << 255n]) {
    assert.equal(priceExactInput(pool, true, amount), undefined)
    assert.equal(priceExactOutput(pool, false, amount), undefined)
  }
})

test('the price impact is the loss against the price before the trade, fee included, rounded up', () => {
  const pool = even([ONE, TWO], 3000, 10n ** 24n)
  assert.equal(expectPrice(bestPathForInput([pool], ONE, TWO, 10n ** 12n)).priceImpactBps, 31)
  const large = expectPrice(bestPathForInput([pool], ONE, TWO, 10n ** 22n))
  const lost = Number(((10n ** 22n - large.amountOut) * 10n ** 6n) / 10n ** 22n) / 100
  assert.equal(large.priceImpactBps, Math.ceil(lost))
  assert.ok(large.priceImpactBps > 100)
})

test('the best path depends on the amount, for exact inputs and exact outputs', () => {
  const thin = even([ONE, TWO], 500, 10n ** 18n)
  const deep = even([ONE, TWO], 3000, 10n ** 24n)
  const feeOf = (amount: bigint) =>
    expectPrice(bestPathForInput([thin, deep], ONE, TWO, amount)).legs[0]?.pool.fee
  assert.equal(feeOf(10n ** 12n), 500)
  assert.equal(feeOf(10n ** 17n), 3000)
  const bought = expectPrice(bestPathForOutput([thin, deep], TWO, ONE, 10n ** 17n))
  assert.equal(bought.amountOut, 10n ** 17n)
  assert.equal(bought.legs[0]?.pool.fee, 3000)
})

/** Pools with prices so close that any may be the best. */
const AnyPools = fc.array(
  fc
    .record({
      pair: fc.constantFrom([ONE, TWO] as const, [ONE, SIX] as const, [TWO, SIX] as const),
      fee: fc.constantFrom(0, 100, 500),
      tick: fc.integer({ min: -5, max: 5 }),
      liquidity: fc.integer({ min: 16, max: 24 }).map((digits) => 10n ** BigInt(digits)),
    })
    .map(({ pair, fee, tick, liquidity }) =>
      poolOf(pair, fee, tick, [{ lower: -2_000, upper: 2_000, liquidity }]),
    ),
  { minLength: 2, maxLength: 8 },
)

test('no path is better than the best one, including those skipped by the search', () => {
  fc.assert(
    fc.property(AnyPools, fc.bigInt({ min: 1n, max: 10n ** 20n }), (pools, amount) => {
      const alone = findPaths(pools, ({ pool }) => pool, ONE, TWO).map((path) => path.map(({ pool }) => pool))
      const sold = bestPathForInput(pools, ONE, TWO, amount)
      const bought = bestPathForOutput(pools, ONE, TWO, amount)
      const outputs = alone.flatMap((only) => {
        const price = bestPathForInput(only, ONE, TWO, amount)
        return typeof price === 'string' ? [] : [price.amountOut]
      })
      const inputs = alone.flatMap((only) => {
        const price = bestPathForOutput(only, ONE, TWO, amount)
        return typeof price === 'string' ? [] : [price.amountIn]
      })
      assert.equal(
        outputs.reduce((one, other) => (other > one ? other : one), 0n),
        amountOf(sold, 'amountOut'),
      )
      assert.equal(
        inputs.reduce((one, other) => (one === 0n || other < one ? other : one), 0n),
        amountOf(bought, 'amountIn'),
      )
    }),
    { numRuns: 300 },
  )
})

test('finds a path over two pools when no pool joins the tokens, in any case of their addresses', () => {
  const first = even([ONE, ABC], 500, 10n ** 22n)
  const second = even([SIX, ABC], 3000, 10n ** 22n)
  const price = expectPrice(bestPathForInput([second, first], ONE, SIX, 10n ** 15n))
  assert.deepEqual(
    price.legs.map(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]),
    [
      [ONE, ABC],
      [ABC, SIX],
    ],
  )
  assert.equal(price.legs[0]?.amountOut, price.legs[1]?.amountIn)
  assert.deepEqual([price.amountIn, price.amountOut], [price.legs[0]?.amountIn, price.legs[1]?.amountOut])
  const lowered = expectPrice(bestPathForInput([first, second], ONE, ABC.toLowerCase(), 10n ** 15n))
  assert.equal(lowered.legs.length, 1)
  const exact = expectPrice(bestPathForOutput([first, second], ONE, SIX, price.amountOut))
  assert.ok(exact.amountIn <= price.amountIn && exact.amountOut === price.amountOut)
})

test('an amount without a price has a reason, and the largest trade has a price', () => {
  const first = even([ONE, TWO], 500, 10n ** 22n)
  const second = even([TWO, SIX], 3000, 10n ** 20n)
  assert.equal(bestPathForInput([first, second], ONE, ABC, 1n), 'no_path')
  assert.equal(bestPathForInput([], ONE, TWO, 1n), 'no_path')
  assert.equal(bestPathForInput([first, second], ONE, SIX, 1n), 'too_small')
  for (const pools of [[first], [first, second]]) {
    const end = pools.length === 1 ? TWO : SIX
    const most = largestPathTrade(pools, ONE, end)
    assert.ok(most !== undefined)
    assert.equal(expectPrice(bestPathForInput(pools, ONE, end, most.amountIn)).amountOut, most.amountOut)
    assert.equal(bestPathForInput(pools, ONE, end, most.amountIn * 2n), 'beyond_depth')
    assert.equal(bestPathForOutput(pools, ONE, end, most.amountOut * 2n), 'beyond_depth')
  }
  assert.equal(largestPathTrade([first], ONE, SIX), undefined)
})
