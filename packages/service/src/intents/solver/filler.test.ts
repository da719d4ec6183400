import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { withNodes } from '../../../test/json-rpc-node.ts'
import { CHEAP, clockAt, intentOrder, orderIdOf } from '../../../test/test-orders.ts'
import { uintWord } from '../../chains/evm/abi-words.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { provenTerms } from '../settlers/quoted-order.ts'
import { assetKey } from './assets.ts'
import { Settlement, Strategy } from './config.ts'
import { createFiller } from './filler.ts'
import type { TrackedOrder } from './order-tracker.ts'

const ORIGIN_SETTLER = `0x${'a'.repeat(40)}`
const DESTINATION_SETTLER = `0x${'b'.repeat(40)}`
const DESTINATION = 'eip155:6'
const [NONE, OPEN, FILLED, PROVEN] = [0n, 1n, 3n, 4n]

type Statuses = { readonly origin: bigint; readonly destination: bigint }

/** An endpoint that gives all orders these statuses. */
const endpointWithStatuses = ({ origin, destination }: Statuses) => ({
  answer: ({ method, params }: { readonly method: string; readonly params: unknown }) => {
    if (method !== 'eth_call') return undefined
    const isOrigin = JSON.stringify(params).includes(ORIGIN_SETTLER)
    return { result: `0x${uintWord(isOrigin ? origin : destination)}` }
  },
})

const PRICE = { decimals: 18, usdPrice: 1n }
const assetOf = (chainId: string, address: string) => ({
  key: assetKey(chainId, address),
  chainId,
  address,
  symbol: 'TKN',
  isNative: false,
  isOnPaymentChain: false,
  price: PRICE,
})

type Setting = {
  /** By each endpoint. */
  readonly statuses: readonly Statuses[]
  readonly orders?: number
  readonly isAnnounced?: () => boolean
  readonly isFinal?: boolean
  readonly isQuoted?: boolean
  readonly fill?: 'none' | 'reverted'
  /** The settlers of the orders; by default those of the solver, which have different addresses here to tell them apart. */
  readonly exclusiveUntil?: number
  readonly settlers?: Pick<IntentOrder, 'originSettler' | 'destinationSettler'>
}

/** A call to a settler can be made only for orders with the same settler on both chains. */
const FOREIGN = { originSettler: `0x${'c'.repeat(40)}`, destinationSettler: `0x${'c'.repeat(40)}` }

/** A solver's orders, final deposits of a good price unless said otherwise; `turn` runs a round so many seconds later. */
const withFiller = async (
  { statuses, orders: count = 1, isAnnounced = () => false, ...setting }: Setting,
  work: (
    turn: (seconds: number) => Promise<number>,
    seen: { readonly reasons: string[]; readonly dropped: Set<string>; looks: number },
    /** Resolves when the head is a block this much later. */
    mine: (seconds: number) => Promise<unknown>,
  ) => Promise<void>,
): Promise<void> => {
  const seen = { reasons: [] as string[], dropped: new Set<string>(), looks: 0 }
  const clock = clockAt(Date.now())
  await withNodes(statuses.map(endpointWithStatuses), async ({ chain, nodes }) => {
    const settlers = [
      [chain.chainId, ORIGIN_SETTLER],
      [DESTINATION, DESTINATION_SETTLER],
    ] as const
    const order = {
      ...intentOrder(CHEAP, 1n, 1_800_000_000),
      proven: provenTerms('six', setting.exclusiveUntil ?? 1_800_000_300),
      originChain: chain.chainId,
      destinationChain: DESTINATION,
      ...(setting.settlers ?? { originSettler: ORIGIN_SETTLER, destinationSettler: DESTINATION_SETTLER }),
    }
    const opened = { blockNumber: 90n, timestampSeconds: 100, isFinal: setting.isFinal ?? true, noticedAt: 0 }
    const tracked = new Map<string, TrackedOrder>(
      Array.from({ length: count }, (_, number) => {
        const orderId = orderIdOf(number + 1)
        const rest = {
          isTakeover: false,
          filled: undefined,
          firstSeenAt: 0,
          destinationFrom: 0n,
          proven: undefined,
        }
        return [orderId, { orderId, order, opened, ...rest }]
      }),
    )
    const assets = [assetOf(chain.chainId, order.inputToken), assetOf(DESTINATION, order.outputToken)]
    const { round } = createFiller({
      chains: new Map(
        settlers.map(([chainId, settler]) => [
          chainId,
          {
            chainId,
            evm: chain,
            settler,
            attestedSettler: undefined,
            axelarName: chainId,
            executeGasLimit: 1,
            nativeDecimals: 18,
          },
        ]),
      ),
      assets: new Map(assets.map((asset) => [asset.key, asset])),
      tracker: {
        orders: () => [...tracked.values()],
        find: (orderId) => tracked.get(orderId),
        drop: (orderId) => {
          tracked.delete(orderId)
          seen.dropped.add(orderId)
        },
      },
      inventory: {
        holding: (asset) => ({ asset, spendable: 10n ** 30n, blockNumber: 1n, readAt: 0 }),
        isAllowed: () => true,
      },
      costs: { isKnowable: () => true, inUnitsOf: () => 0n },
      carriage: { of: () => true },
      takeovers: {
        look: async () => undefined,
        undeclinableSince: () => undefined,
        isFair: () => false,
        keep: async () => undefined,
        prune: () => undefined,
      },
      reservations: { sent: () => 0n },
      states: {
        known: (key) => {
          seen.looks += 1
          return key.startsWith('fill:') ? (setting.fill ?? 'none') : 'none'
        },
        note: () => undefined,
        lookUpTransaction: async () => 'none',
        lookUpPayout: async () => 'none',
        lookUpDeclinedOrder: async () => 'none',
        addDeclinedOrder: async () => undefined,
      },
      commitments: { wasQuoted: () => setting.isQuoted ?? true, isAnnounced },
      mode: () => 'normal',
      account: CHEAP.address,
      strategy: Strategy.parse({}),
      settlement: Settlement.parse({}),
      steady: clock.now,
      outboxes: new Map(),
      isCurrent: () => true,
      onDeclined: (_, reason) => seen.reasons.push(reason),
      log: () => undefined,
    })
    const calls = () =>
      nodes.flatMap((node) => node.asked.filter(({ method }) => method === 'eth_call')).length
    const turn = async (seconds: number): Promise<number> => {
      clock.set(clock.now() + seconds * 1_000)
      const before = calls()
      await round()
      return calls() - before
    }
    const mine = (seconds: number) => {
      const head = chain.head()
      assert.ok(head)
      for (const node of nodes) {
        node.dated = () => head.timestampSeconds + seconds
        node.blockNumber += 1
      }
      return eventually('the block', () => chain.head()?.number === head.number + 1n)
    }
    await work(turn, seen, mine)
  })
}

const everywhere = (origin: bigint, destination: bigint): readonly Statuses[] =>
  Array(3).fill({ origin, destination })

for (const [destinations, expected, name] of [
  [[NONE, NONE, NONE], true, 'that no endpoint calls filled is declined'],
  [[NONE, FILLED, FILLED], false, 'whose fill one endpoint hides is not declined'],
  [[NONE, NONE, FILLED], false, 'whose fill two endpoints hide is not declined'],
] as const)
  test(`an order ${name}`, async () => {
    const statuses = destinations.map((destination) => ({ origin: OPEN, destination }))
    const setting = { statuses, settlers: FOREIGN, isAnnounced: () => true, fill: 'reverted' } as const
    await withFiller(setting, async (turn, { reasons }) => {
      for (const seconds of [0, 1, 600]) await turn(seconds)
      assert.equal(reasons.length > 0, expected)
    })
  })

/** The time of the first head. */
const STARTED_AT = 100

for (const [blockSeconds, left, isDeclined] of [
  [12, 20, false],
  [12, 60, true],
  [1, 2, false],
  [1, 20, true],
] as const)
  test(`with blocks every ${blockSeconds} s and ${left} s until strangers may fill, an order is ${isDeclined ? '' : 'not '}declined`, async () => {
    let isAnnounced = false
    const setting = {
      statuses: everywhere(OPEN, NONE),
      settlers: FOREIGN,
      fill: 'reverted',
      isAnnounced: () => isAnnounced,
      exclusiveUntil: STARTED_AT + 3 * blockSeconds + left,
    } as const
    await withFiller(setting, async (turn, { reasons }, mine) => {
      await turn(0)
      for (let block = 0; block < 3; block += 1) {
        await mine(blockSeconds)
        await turn(0)
      }
      isAnnounced = true
      await turn(0)
      assert.deepEqual(reasons, isDeclined ? ['fill_reverted'] : [])
    })
  })

const DUST = 40
const ROUNDS = 30
/** One look: an endpoint's word on each chain, then that of all three, and their statements about the deposit. */
const LOOK_CALLS = 2 + 3 * 3

for (const [name, setting, most] of [
  ['that were not quoted', { isQuoted: false, statuses: everywhere(OPEN, NONE) }, 0],
  ['whose fill reverted', { fill: 'reverted', statuses: everywhere(OPEN, NONE) }, 0],
  ['that are not final', { isFinal: false, statuses: everywhere(OPEN, NONE) }, 0],
  ['that strangers have filled', { statuses: everywhere(OPEN, FILLED) }, LOOK_CALLS],
  ['that strangers have filled and proven', { statuses: everywhere(PROVEN, FILLED) }, LOOK_CALLS],
] as const)
  test(`unannounced orders ${name} cost at most ${most} calls each, and are not declined`, async (context) => {
    await withFiller({ ...setting, orders: DUST }, async (turn, { reasons, dropped }) => {
      let calls = 0
      for (let round = 0; round < ROUNDS; round += 1) calls += await turn(0.5)
      context.diagnostic(`${calls} calls for ${DUST} orders in ${ROUNDS} rounds`)
      assert.ok(calls <= most * DUST, `${calls} calls`)
      assert.equal(await turn(600), 0)
      assert.deepEqual(reasons, [])
      assert.equal(dropped.size, name === 'that are not final' ? 0 : DUST)
    })
  })

test('announced orders that strangers have filled are looked at again after growing pauses, and never forgotten', async () => {
  const setting = { statuses: everywhere(OPEN, FILLED), orders: DUST, isAnnounced: () => true }
  await withFiller(setting, async (turn, { dropped }) => {
    assert.ok((await turn(0)) > 0)
    assert.equal(await turn(59), 0)
    assert.ok((await turn(1)) > 0)
    assert.equal(await turn(119), 0)
    assert.ok((await turn(1)) > 0)
    assert.equal(dropped.size, 0)
  })
})

test('the work of a round grows with the number of orders, not with its square', async () => {
  const looksOf = async (orders: number): Promise<number> => {
    let looks = 0
    await withFiller({ statuses: everywhere(OPEN, NONE), isQuoted: false, orders }, async (turn, seen) => {
      await turn(0)
      looks = seen.looks
    })
    return looks
  }
  const few = await looksOf(50)
  assert.ok((await looksOf(200)) <= 5 * few)
})

test('an order that is announced later is declined then', async () => {
  let isAnnounced = false
  const setting = {
    statuses: everywhere(OPEN, NONE),
    settlers: FOREIGN,
    fill: 'reverted',
    isAnnounced: () => isAnnounced,
  } as const
  await withFiller(setting, async (turn, { reasons, dropped }) => {
    await turn(0)
    assert.deepEqual(reasons, [])
    isAnnounced = true
    await turn(600)
    assert.ok(reasons.length > 0)
    assert.equal(dropped.size, 0)
  })
})
