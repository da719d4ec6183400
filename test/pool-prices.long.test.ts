import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import {
  bestPathForInput,
  bestPathForOutput,
  largestPathTrade,
} from 'openrfq/src/protocols/uniswap-v3/path-price.ts'
import type { PoolState } from 'openrfq/src/protocols/uniswap-v3/pool.ts'
import {
  largestTrade,
  priceExactInput,
  priceExactOutput,
} from 'openrfq/src/protocols/uniswap-v3/pool-price.ts'
import { sqrtPriceAtTick } from 'openrfq/src/protocols/uniswap-v3/tick-math.ts'
import { encodeFunctionData, encodePacked, getAddress, type Hex, parseAbi } from 'viem'
import { type Call, startExchangeWorld, type WorldPool } from './exchange-world.ts'

const QUOTER_ABI = parseAbi([
  'struct Input { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'struct Output { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Input params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  'function quoteExactOutputSingle(Output params) returns (uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
  'function quoteExactOutput(bytes path, uint256 amountOut) returns (uint256 amountIn, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
])

const POOLS = 8
const ROUNDS = 250
const MAX_LIQUIDITY_DIGITS = 24

const PRECISION = 2 ** 30
const fraction = fc.noBias(fc.integer({ min: 0, max: PRECISION - 1 }).map((value) => value / PRECISION))
const Quote = fc.record({
  zeroForOne: fc.boolean(),
  exactInput: fc.boolean(),
  size: fraction,
  edge: fc.integer({ min: -1, max: 18 }),
})
type Quote = {
  readonly zeroForOne: boolean
  readonly exactInput: boolean
  readonly size: number
  readonly edge: number
}
const Change = fc.record({
  kind: fc.constantFrom('swap', 'swap', 'mint', 'mint', 'burn'),
  zeroForOne: fc.boolean(),
  place: fraction,
  width: fraction,
  size: fraction,
  quotes: fc.tuple(Quote, Quote),
})
const Rounds = fc.tuple(...Array.from({ length: POOLS }, () => Change))

const seed = Date.now() % 2 ** 31
const startTicks = fc.sample(fc.integer({ min: -400_000, max: 400_000 }), { numRuns: POOLS, seed })

let world: Awaited<ReturnType<typeof startExchangeWorld>>
before(async () => {
  world = await startExchangeWorld(startTicks)
})
after(() => world.stop())

/** An amount from one base unit to the maximum, evenly distributed over its digits, or near the maximum. */
const amountOf = (most: bigint, { size, edge }: Pick<Quote, 'size' | 'edge'>): bigint => {
  if (edge <= 1) return most + BigInt(edge) > 0n ? most + BigInt(edge) : 1n
  const bits = size * most.toString(2).length
  const whole = Math.floor(bits)
  const amount = (BigInt(Math.floor(2 ** (bits - whole) * 2 ** 30)) << BigInt(whole)) >> 31n
  return amount < 1n ? 1n : amount
}

const rangeOf = (pool: WorldPool, place: number, width: number) => {
  const steps = (pool.highest - pool.lowest) / pool.tickSpacing
  const lower = Math.floor(place * (steps - 1))
  const upper = Math.min(steps, lower + 1 + Math.floor(width ** 3 * (steps - lower)))
  return { lower: pool.lowest + lower * pool.tickSpacing, upper: pool.lowest + upper * pool.tickSpacing }
}

/** The quoter's arguments; without a local price the trade stops at the end of the known depth. */
const singleCall = ({ pool }: PoolState, quote: Quote, amount: bigint, sqrtPriceLimitX96: bigint): Call => {
  const [tokenIn, tokenOut] = quote.zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  const params = {
    tokenIn: getAddress(tokenIn),
    tokenOut: getAddress(tokenOut),
    fee: pool.fee,
    sqrtPriceLimitX96,
  }
  return {
    to: world.quoter,
    data: quote.exactInput
      ? encodeFunctionData({
          abi: QUOTER_ABI,
          functionName: 'quoteExactInputSingle',
          args: [{ ...params, amountIn: amount }],
        })
      : encodeFunctionData({
          abi: QUOTER_ABI,
          functionName: 'quoteExactOutputSingle',
          args: [{ ...params, amount }],
        }),
  }
}

/** The first two words of every answer of the quoter: the other amount, and the price or the offset of the prices. */
const answerOf = (answer: string | undefined): readonly [bigint, bigint] | undefined =>
  answer === undefined ? undefined : [BigInt(answer.slice(0, 66)), BigInt(`0x${answer.slice(66, 130)}`)]

type Case = {
  readonly state: PoolState
  readonly quote: Quote
  readonly amount: bigint
  readonly price: bigint | undefined
}

const caseOf = (state: PoolState, quote: Quote): Case => {
  const most = largestTrade(state, quote.zeroForOne)
  const amount = amountOf(quote.exactInput ? most.amountIn : most.amountOut, quote)
  const price = quote.exactInput
    ? priceExactInput(state, quote.zeroForOne, amount)?.amountOut
    : priceExactOutput(state, quote.zeroForOne, amount)?.amountIn
  return { state, quote, amount, price }
}

const endOf = ({ state: { depth }, quote }: Case): bigint =>
  (quote.zeroForOne ? depth.falling : depth.rising).at(-1)?.sqrtPrice ?? 0n

const check = (tried: Case, answer: string | undefined): void => {
  const { state, quote, amount, price } = tried
  const quoted = answerOf(answer)
  const name = `seed ${seed}, pool ${state.pool.fee} at ${state.tick}, ${JSON.stringify(quote)}, ${amount}`
  const { amountIn, amountOut } = largestTrade(state, quote.zeroForOne)
  if (price !== undefined) assert.equal(price, quoted?.[0], name)
  else if (amountIn > 0n)
    assert.deepEqual(quoted, [quote.exactInput ? amountOut : amountIn, endOf(tried)], name)
}

test('a local price equals QuoterV2 to the unit in 2,000 random pool states, and is missing only beyond the known depth', async () => {
  const owned: { tokenId: bigint; liquidity: bigint }[] = []
  const counts = { priced: 0, declined: 0, ticks: 0 }
  for (const [index, pool] of world.pools.entries()) {
    const whole = { lower: pool.lowest, upper: pool.highest }
    await world.mine([world.mintCall(pool, whole, sqrtPriceAtTick(startTicks[index] ?? 0), 10n ** 18n)])
  }
  let states = await world.read((await world.mine([])).blockHash)
  for (const changes of fc.sample(Rounds, { numRuns: ROUNDS, seed })) {
    const calls = changes.map(({ kind, zeroForOne, place, width, size }, index): Call => {
      const [pool, state] = [world.pools[index], states[index]]
      assert.ok(pool !== undefined && state !== undefined)
      const position = owned[Math.floor(place * owned.length)]
      if (kind === 'burn' && position !== undefined) {
        owned.splice(owned.indexOf(position), 1)
        return world.burnCall(position.tokenId, position.liquidity)
      }
      if (kind === 'swap' && state.liquidity > 0n)
        return world.swapCall(
          pool,
          zeroForOne,
          amountOf(largestTrade(state, zeroForOne).amountIn, { size, edge: 3 }),
        )
      const liquidity = amountOf(10n ** BigInt(MAX_LIQUIDITY_DIGITS), { size, edge: 3 })
      return world.mintCall(pool, rangeOf(pool, place, width), state.sqrtPrice, liquidity)
    })
    const block = await world.mine(calls)
    owned.push(...world.increased(block))
    states = await world.read(block.blockHash)
    const cases = changes.flatMap(({ quotes }, index) =>
      quotes.map((quote) => {
        const state = states[index]
        assert.ok(state !== undefined)
        return caseOf(state, quote)
      }),
    )
    const answers = await world.chain.callMany(
      cases.map((tried) =>
        singleCall(tried.state, tried.quote, tried.amount, tried.price === undefined ? endOf(tried) : 0n),
      ),
    )
    for (const [index, tried] of cases.entries()) {
      check(tried, answers[index])
      counts[tried.price === undefined ? 'declined' : 'priced'] += 1
    }
    counts.ticks = Math.max(counts.ticks, ...states.map(({ depth }) => depth.falling.length))
  }
  assert.ok(counts.priced >= 3_000 && counts.declined >= 50 && counts.ticks >= 10, JSON.stringify(counts))
})

/** The router's encoding of a path over two pools; exact output reads it from its end. */
const encodePath = (tokens: readonly Hex[], fees: readonly number[]): Hex => {
  const [first = '0x', second = '0x', third = '0x'] = tokens
  return encodePacked(
    ['address', 'uint24', 'address', 'uint24', 'address'],
    [first, fees[0] ?? 0, second, fees[1] ?? 0, third],
  )
}

const pathCall = (one: PoolState, other: PoolState, exactInput: boolean, amount: bigint): Call => {
  const fees = [one.pool.fee, other.pool.fee]
  return {
    to: world.quoter,
    data: exactInput
      ? encodeFunctionData({
          abi: QUOTER_ABI,
          functionName: 'quoteExactInput',
          args: [encodePath(world.tokens, fees), amount],
        })
      : encodeFunctionData({
          abi: QUOTER_ABI,
          functionName: 'quoteExactOutput',
          args: [encodePath(world.tokens.toReversed(), fees.toReversed()), amount],
        }),
  }
}

test('a price over two pools equals QuoterV2 to the unit, and the best path is chosen', async () => {
  const [tokenIn, tokenMiddle, tokenOut] = world.tokens
  const states = await world.read((await world.mine([])).blockHash)
  const joins = (pool: PoolState, token: string) => [pool.pool.token0, pool.pool.token1].includes(token)
  const pairs = states
    .filter((pool) => joins(pool, tokenIn))
    .flatMap((one) => states.filter((pool) => joins(pool, tokenOut)).map((other) => [one, other] as const))
  assert.equal(pairs.length, 16)
  assert.equal(bestPathForInput(states, tokenIn, tokenIn, 1n), 'no_path')
  assert.equal(bestPathForInput(states.slice(0, 1), tokenIn, tokenOut, 1n), 'no_path')
  let compared = 0
  for (const { size, exactInput } of fc.sample(fc.record({ size: fraction, exactInput: fc.boolean() }), {
    numRuns: 40,
    seed,
  })) {
    const most = largestPathTrade(states, tokenIn, tokenOut)
    assert.ok(most !== undefined)
    const amount = amountOf(exactInput ? most.amountIn : most.amountOut, { size, edge: 2 })
    const best = exactInput ? bestPathForInput : bestPathForOutput
    const priced = pairs.flatMap((pair) => {
      const price = best(pair, tokenIn, tokenOut, amount)
      return typeof price === 'string' ? [] : [{ pair, price }]
    })
    const answers = await world.chain.callMany(
      priced.map(({ pair }) => pathCall(...pair, exactInput, amount)),
    )
    for (const [index, { pair, price }] of priced.entries()) {
      const name = `seed ${seed}, ${exactInput} ${amount} over ${pair.map(({ pool }) => pool.fee)}`
      assert.equal(exactInput ? price.amountOut : price.amountIn, answerOf(answers[index])?.[0], name)
      assert.deepEqual(
        price.legs.map(({ tokenIn: from, tokenOut: to }) => [from, to]),
        [
          [tokenIn, tokenMiddle],
          [tokenMiddle, tokenOut],
        ],
      )
    }
    compared += priced.length
    const chosen = best(states, tokenIn, tokenOut, amount)
    if (priced.length === 0) assert.equal(typeof chosen, 'string')
    else if (typeof chosen === 'string') assert.fail(`${chosen}, though ${priced.length} paths have a price`)
    else if (exactInput) assert.ok(priced.every(({ price }) => price.amountOut <= chosen.amountOut))
    else assert.ok(priced.every(({ price }) => price.amountIn >= chosen.amountIn))
  }
  assert.ok(compared >= 100, `only ${compared} prices were compared`)
})
