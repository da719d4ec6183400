import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bridgeRoute,
  FROM,
  hash,
  KEEPER,
  OUTPUT,
  RECIPIENT,
  SENDER,
  TO,
} from '../../../test/express-scene.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Offer } from '../../core/offer.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import { DEFAULT_SLIPPAGE } from '../../core/slippage.ts'
import { createRangeDeclines } from './amount-range.ts'
import { quoteRoutes } from './quote.ts'
import type { BridgeSide, RouteChoice } from './routes.ts'

type Scene = {
  readonly amount?: bigint
  readonly isExpress?: boolean
  readonly returnFee?: bigint
  readonly expressCap?: bigint | null
  readonly executor?: BridgeSide['executor']
  readonly executorSeconds?: number
  readonly mintRoom?: bigint | null
  /** The chain whose router does not confirm the network file. */
  readonly wrongRouter?: string
  /** Whether the output is swapped on the destination, whose pools are unknown here. */
  readonly isSwapped?: boolean
  readonly priority?: BridgeSide['priority']
  readonly offers?: RouteChoice['offers']
}

const WAY = bridgeRoute()
const WAYS = [WAY]
const periodic = { start: () => Promise.resolve(), stop: () => Promise.resolve() }

/** Prices an order for the bridge token itself, which only the executors' and operator's limits bound. */
const ask = (scene: Scene, ranges = createRangeDeclines()) => {
  const { amount = 1_000n, isExpress = true, returnFee = 900n, expressCap = 500_000n } = scene
  const { executor = 'axelar', executorSeconds = 7 } = scene
  const { isSwapped = false, priority } = scene
  const isPlain = expressCap === 500_000n && executor === 'axelar' && !isSwapped
  const bridged = isPlain ? WAY : bridgeRoute({ expressCap, executor, executorSeconds, priority })
  const route = isSwapped ? { ...bridged, output: { ...bridged.output, address: OUTPUT } } : bridged
  const state = { isListed: true, room: scene.mintRoom ?? null }
  return quoteRoutes(
    {
      type: 'gateway-express',
      offers: scene.offers ?? (() => true),
      mirrors: new Map(),
      states: { ...periodic, of: () => state, read: async () => state },
      routers: {
        ...periodic,
        of: ({ chain }) => chain.chainId !== scene.wrongRouter,
        read: async () => undefined,
      },
      fees: {
        ...periodic,
        know: async () => undefined,
        isKnown: () => true,
        of: () => ({ amount: baseUnits(77n), isExpress }),
        isExpress: () => isExpress,
        ofOrdinary: () => baseUnits(70n),
        ofReturn: () => baseUnits(returnFee),
      },
      relayTimes: { ...periodic, seconds: () => 190 },
      ranges,
      randomHex: () => hash('3').slice(2),
      name: 'Gateway Express',
      keeper: KEEPER,
    },
    route === WAY ? WAYS : [route],
    {
      from: { chain: route.from.chain, token: route.input },
      to: { chain: route.to.chain, token: route.output },
      amount: baseUnits(amount),
      orderType: 'EXACT_INPUT',
      sender: SENDER,
      recipient: RECIPIENT,
      slippage: DEFAULT_SLIPPAGE,
      approvalMode: 'EXACT',
      createdAt: 1_000_000_000,
      client: 'client',
      answerId: firstQuoteId(1_000_000_000, 1n),
    },
  )
}

const offerFor = async (scene: Scene): Promise<Offer> => {
  const answer = await ask(scene)
  assert.ok(!('declined' in answer))
  const [offer] = answer
  assert.ok(offer !== undefined)
  return offer
}

test('an executor delivers up to its cap, and that is the maximum unless the mint limit leaves less', async () => {
  const maximumOf = async (scene: Scene): Promise<bigint | null> => {
    const refused = await ask({ ...scene, amount: 10n ** 30n })
    assert.ok('declined' in refused && refused.declined === 'out_of_range')
    return refused.maximum
  }
  assert.equal(await maximumOf({}), 500_000n)
  assert.equal(await maximumOf({ mintRoom: 400_000n }), 400_000n)
  assert.equal(await maximumOf({ mintRoom: 600_000n }), 500_000n)
  assert.equal(await maximumOf({ mintRoom: 600_000n, expressCap: null }), 600_000n)
  assert.ok(!('declined' in (await ask({ amount: 500_000n }))))
})

test('without an executor on the route its cap does not apply, and the time is the ordinary one', async () => {
  const ordinary = await offerFor({ amount: 600_000n, isExpress: false })
  assert.equal(ordinary.estimatedTimeSeconds, 190)
  const express = await offerFor({})
  assert.equal(express.estimatedTimeSeconds, 20)
  assert.deepEqual(express.metadata['estimatedSeconds'], { express: 20, ordinary: 190 })
})

test("the operator's own executor is as quick as the operator says, never slower than the ordinary way", async () => {
  const own = await offerFor({ executor: 'own' })
  assert.deepEqual(own.metadata['estimatedSeconds'], { express: 7, ordinary: 190 })
  const slow = await offerFor({ executor: 'own', executorSeconds: 3_600 })
  assert.equal(slow.estimatedTimeSeconds, 190)
})

test('declines if a refund would cost more than the keeper pays, and shows that cost in a quote', async () => {
  const offer = await offerFor({ returnFee: 1_000n })
  assert.deepEqual(Object(offer.metadata['refund']).returnGas, {
    chain: 'eip155:2',
    amount: '1000',
    paidBy: 'operator',
  })
  const refused = await ask({ returnFee: 1_001n })
  assert.ok('declined' in refused && refused.declined === 'unpriced')
  assert.match(refused.reason, /more than the keeper pays/)
})

test('quotes nothing over a router that does not confirm the network file', async () => {
  for (const wrongRouter of [FROM, TO]) {
    const refused = await ask({ wrongRouter })
    assert.ok('declined' in refused && refused.declined === 'unpriced')
  }
})

test('quotes no swap on the destination without an executor in priority there', async () => {
  const priority = { executor: KEEPER, seconds: 60 }
  const reasonOf = async (scene: Scene): Promise<string> => {
    const refused = await ask({ isSwapped: true, ...scene })
    assert.ok('declined' in refused && refused.declined === 'unpriced')
    return refused.reason
  }
  assert.match(await reasonOf({}), /no executor has priority/)
  assert.match(await reasonOf({ priority, isExpress: false }), /no executor has priority/)
  assert.match(await reasonOf({ priority }), /pools/, 'with priority the pools decide')
})

test('a route that a backend offers only where executors deliver early is declined elsewhere', async () => {
  const offers: RouteChoice['offers'] = (_, isExpress) => isExpress
  assert.ok(!('declined' in (await ask({ offers }))))
  const refused = await ask({ offers, isExpress: false })
  assert.ok('declined' in refused && refused.declined === 'unpriced')
  assert.match(refused.reason, /no executor/)
})

test('searches the bounds once per state of the markets', async () => {
  const ranges = createRangeDeclines()
  const refuse = (scene: Scene) => ask({ ...scene, amount: 10n ** 30n }, ranges)
  const first = await refuse({})
  assert.equal(await refuse({}), first)
  assert.notEqual(await refuse({ mintRoom: 400_000n }), first)
})
