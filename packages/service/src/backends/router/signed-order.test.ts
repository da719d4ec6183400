import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BRIDGE, bridgeRoute, hash, KEEPER, OUTPUT, RECIPIENT, SENDER } from '../../../test/express-scene.ts'
import { baseUnits } from '../../core/amount.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import { minimumAfterSlippage, toSlippage } from '../../core/slippage.ts'
import { bestPathForInput, type PathPrice } from '../../protocols/uniswap-v3/path-price.ts'
import { createDepth, type PoolState } from '../../protocols/uniswap-v3/pool.ts'
import { sqrtPriceAtTick } from '../../protocols/uniswap-v3/tick-math.ts'
import type { RoutePrice } from './amounts.ts'
import { NOBODY } from './express-contract.ts'
import type { BridgeSide } from './routes.ts'
import { signedOrder } from './signed-order.ts'

const FAR_BRIDGE = `0x${'8'.repeat(40)}`
const CREATED = 1_000_000

/** A pool of a chain's bridge token and another, of even liquidity around price one. */
const poolOf = (token0: string, token1: string): PoolState => {
  const liquidity = 10n ** 12n
  const ticks = [
    { tick: -2_000, liquidityNet: liquidity },
    { tick: 2_000, liquidityNet: -liquidity },
  ]
  return {
    pool: { address: `0x${token0.slice(2, 6)}`, token0, token1, fee: 500, tickSpacing: 10 },
    sqrtPrice: sqrtPriceAtTick(0),
    tick: 0,
    liquidity,
    depth: createDepth({ tickSpacing: 10, firstWord: -1, lastWord: 1, ticks }),
  }
}

const INPUT = `0x${'2'.repeat(40)}`
const SOURCE_POOL = poolOf(INPUT, BRIDGE)
const FAR_POOL = poolOf(FAR_BRIDGE, OUTPUT)

const swap = (pool: PoolState, amount: bigint): PathPrice => {
  const price = bestPathForInput([pool], pool.pool.token0, pool.pool.token1, amount)
  return typeof price === 'string' ? assert.fail(price) : price
}

type Scene = {
  readonly amount?: bigint
  readonly bps?: number
  readonly swaps?: readonly ('before' | 'after')[]
  readonly priority?: BridgeSide['priority']
  readonly isExpress?: boolean
  readonly keeper?: string | undefined
  readonly ordinarySeconds?: number
}

const signed = (scene: Scene) => {
  const { amount = 1_000_000n, bps = 100, swaps = ['before', 'after'] } = scene
  const { from, to } = bridgeRoute({ priority: scene.priority })
  const input = swaps.includes('before') ? { ...from.token, address: INPUT } : from.token
  const output = swaps.includes('after') ? { ...to.token, address: OUTPUT } : to.token
  const before = swaps.includes('before') ? swap(SOURCE_POOL, amount) : undefined
  const bridged = before?.amountOut ?? amount
  const after = swaps.includes('after') ? swap(FAR_POOL, bridged) : undefined
  const price: RoutePrice = {
    route: { from, to, input, output },
    input: baseUnits(amount),
    bridged: baseUnits(bridged),
    output: baseUnits(after?.amountOut ?? bridged),
    before,
    after,
  }
  const slippage = toSlippage(bps)
  const order = signedOrder(
    {
      from: { chain: from.chain, token: input },
      to: { chain: to.chain, token: output },
      amount: baseUnits(amount),
      orderType: 'EXACT_INPUT',
      sender: SENDER,
      recipient: RECIPIENT,
      slippage,
      approvalMode: 'EXACT',
      createdAt: CREATED * 1000,
      client: 'client',
      answerId: firstQuoteId(CREATED * 1000, 1n),
    },
    price,
    {
      salt: () => hash('3').slice(2),
      keeper: 'keeper' in scene ? scene.keeper : KEEPER,
      pools: (chainId) => (chainId === to.chain.chainId ? [FAR_POOL] : undefined),
      isExpress: scene.isExpress ?? true,
      ordinarySeconds: scene.ordinarySeconds ?? 190,
    },
  )
  return { order, price, minimum: minimumAfterSlippage(price.output, slippage) }
}

test('the first swap may take half of the tolerance, so that the second has the other half left', () => {
  fc.assert(
    fc.property(fc.bigInt(100_000n, 10n ** 9n), fc.integer({ min: 0, max: 5_000 }), (amount, bps) => {
      const { order, price, minimum } = signed({ amount, bps })
      assert.equal(order.minimumAmount, minimum)
      assert.ok(order.minimumBridgeAmount <= price.bridged)
      const left = swap(FAR_POOL, order.minimumBridgeAmount).amountOut
      assert.ok(left >= price.output - (price.output - minimum) / 2n, 'half of the tolerance is left')
      const less = swap(FAR_POOL, order.minimumBridgeAmount - 1n).amountOut
      const isLeast = less < price.output - (price.output - minimum) / 2n
      assert.ok(isLeast || order.minimumBridgeAmount === price.bridged, 'no more than half is kept back')
    }),
  )
})

test('a single swap has the whole tolerance, and without one there is none', () => {
  const first = signed({ swaps: ['before'] })
  assert.equal(first.order.minimumBridgeAmount, first.minimum)
  assert.equal(first.order.minimumAmount, first.minimum)
  const second = signed({ swaps: ['after'] })
  assert.equal(second.order.minimumBridgeAmount, second.price.bridged)
  assert.equal(second.order.minimumAmount, second.minimum)
  const { order, price } = signed({ swaps: [] })
  assert.deepEqual([order.minimumBridgeAmount, order.minimumAmount], [price.bridged, price.output])
})

test('the executor has its priority from the quote on, where executors serve the route', () => {
  const priority = { executor: `0x${'d'.repeat(40)}`, seconds: 120 }
  const { order } = signed({ priority })
  assert.deepEqual([order.executor, order.priorityUntilSeconds], [priority.executor, CREATED + 120])
  for (const scene of [{}, { priority, isExpress: false }]) {
    const none = signed(scene).order
    assert.deepEqual([none.executor, none.priorityUntilSeconds], [NOBODY, 0])
  }
})

test('strangers may give back two hours after the arrival is due, and within the day that the router takes', () => {
  assert.equal(signed({}).order.returnAfterSeconds, CREATED + 30 + 60 + 190 + 7_200)
  const { order } = signed({ ordinarySeconds: 200_000 })
  assert.ok(order.returnAfterSeconds <= CREATED + 23 * 3_600)
  assert.equal(order.keeper, KEEPER)
  assert.equal(signed({ keeper: undefined }).order.keeper, NOBODY)
})
