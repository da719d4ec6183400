import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNodes } from '../../../test/json-rpc-node.ts'
import { CHEAP, clockAt, intentOrder, orderIdOf } from '../../../test/test-orders.ts'
import { uintWord } from '../../chains/evm/abi-words.ts'
import { Settlement, Strategy } from './config.ts'
import { createFiller } from './filler.ts'
import { orderKeys } from './order-keys.ts'

const ORIGIN_SETTLER = `0x${'a'.repeat(40)}`
const DESTINATION_SETTLER = `0x${'b'.repeat(40)}`
const OPEN = 1n
const ORDER_ID = orderIdOf(1)

/** An endpoint at which the order is open on its origin and has this status on its destination. */
const says = (destination: bigint) => ({
  answer: ({ method, params }: { readonly method: string; readonly params: unknown }) => {
    if (method !== 'eth_call') return undefined
    const isOrigin = JSON.stringify(params).includes(ORIGIN_SETTLER)
    return { result: `0x${uintWord(isOrigin ? OPEN : destination)}` }
  },
})

/**
 * Two rounds of a solver whose fill seems to have reverted, and one ten minutes later, given the order's status by each
 * endpoint: why it declined, how often the first two asked the endpoints, and what it forgot.
 */
const decline = async (statuses: readonly bigint[], isAnnounced = () => true) => {
  const reasons: string[] = []
  const asked: number[] = []
  const dropped: string[] = []
  const clock = clockAt(Date.now())
  await withNodes(statuses.map(says), async ({ chain, nodes }) => {
    const settlers = [
      [chain.chainId, ORIGIN_SETTLER],
      ['eip155:6', DESTINATION_SETTLER],
    ] as const
    const order = {
      ...intentOrder(CHEAP, 1n, 1_800_000_000),
      originChain: chain.chainId,
      destinationChain: 'eip155:6',
    }
    const mark = { blockNumber: 90n, timestampSeconds: 100, isFinal: true, noticedAt: 0 }
    const tracked = {
      orderId: ORDER_ID,
      order,
      opened: mark,
      filled: undefined,
      firstSeenAt: 0,
      destinationFrom: 0n,
      proven: undefined,
    }
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
      assets: new Map(),
      tracker: { orders: () => [tracked], find: () => tracked, drop: () => dropped.push(ORDER_ID) },
      inventory: { holding: () => undefined, isAllowed: () => true },
      reservations: { sent: () => 0n },
      states: {
        known: (key) => (key === orderKeys(ORDER_ID).fill ? 'reverted' : 'none'),
        note: () => undefined,
        lookUpTransaction: async () => 'none',
        lookUpPayout: async () => 'none',
        lookUpDeclinedOrder: async () => 'none',
        addDeclinedOrder: async () => undefined,
      },
      commitments: { wasQuoted: () => true, isAnnounced },
      mode: () => 'normal',
      account: CHEAP.address,
      strategy: Strategy.parse({}),
      settlement: Settlement.parse({}),
      steady: clock.now,
      outboxes: new Map(),
      isCurrent: () => true,
      onDeclined: (_, reason) => reasons.push(reason),
      log: () => undefined,
    })
    const count = () =>
      nodes.flatMap((node) => node.asked.filter(({ method }) => method === 'eth_call')).length
    for (let turn = 0; turn < 2; turn++) {
      const before = count()
      await round()
      asked.push(count() - before)
    }
    clock.set(clock.now() + 600_000)
    await round()
  })
  return { reasons, asked, dropped }
}

const NONE = 0n
const FILLED = 3n

for (const [statuses, expected, name] of [
  [[NONE, NONE, NONE], true, 'that no endpoint calls filled is declined'],
  [[NONE, FILLED, FILLED], false, 'whose fill one endpoint hides is not declined'],
  [[NONE, NONE, FILLED], false, 'whose fill two endpoints hide is not declined'],
] as const)
  test(`an order ${name}`, async () => {
    assert.equal((await decline(statuses)).reasons.length > 0, expected)
  })

test('an order that nobody announced is not declined, is looked at once, and is forgotten after ten minutes', async () => {
  const { reasons, asked, dropped } = await decline([NONE, NONE, NONE], () => false)
  assert.deepEqual(reasons, [])
  assert.ok((asked[0] ?? 0) > 0)
  assert.equal(asked[1], 0)
  assert.deepEqual(dropped, [ORDER_ID])
})

test('an order that is announced later is declined then', async () => {
  let looks = 0
  const { reasons, dropped } = await decline([NONE, NONE, NONE], () => looks++ > 0)
  assert.ok(reasons.length > 0)
  assert.deepEqual(dropped, [])
})
