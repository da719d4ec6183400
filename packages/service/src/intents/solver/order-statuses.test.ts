import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Node, withNodes } from '../../../test/json-rpc-node.ts'
import { testOrderId } from '../../../test/test-deposits.ts'
import { uintWord } from '../../chains/evm/abi-words.ts'
import { createOrderStatusReader } from './order-statuses.ts'

const ORDER_ID = testOrderId(1)
const ORDER = { originChain: 'eip155:5', destinationChain: 'eip155:6' }
const ORDERS = [{ orderId: ORDER_ID, order: ORDER, opened: { blockNumber: 90n, timestampSeconds: 100 } }]
const DEPS = { now: Date.now, log: () => undefined }
const NONE = 0n
const OPEN = 1n
const REFUNDED = 2n
const FILLED = 3n
const RELEASED = 5n

const says = (status: bigint): Partial<Node> => ({
  answer: ({ method }) => (method === 'eth_call' ? { result: `0x${uintWord(status)}` } : undefined),
})

/** What the solver knows of an escrow that the endpoints describe so. */
const originOf = async (nodes: readonly Partial<Node>[]) => {
  let origin: string | undefined
  await withNodes(nodes, async ({ chain }) => {
    const asked = {
      kind: 'intent',
      chainId: chain.chainId,
      evm: chain,
      settler: `0x${'a'.repeat(40)}`,
    } as const
    const read = createOrderStatusReader(new Map([[chain.chainId, asked]]), DEPS)
    origin = (await read(ORDERS))(ORDER_ID).origin
  })
  return origin
}

for (const [statuses, expected, name] of [
  [[OPEN, OPEN, OPEN], 'open', 'all endpoints know'],
  [[OPEN, NONE, NONE], undefined, 'one endpoint invents'],
  [[OPEN, NONE, OPEN], undefined, 'one endpoint denies'],
  [[OPEN, OPEN, NONE], undefined, 'the last endpoint denies'],
  [[OPEN, REFUNDED, REFUNDED], undefined, 'one endpoint does not know to be refunded'],
  [[OPEN, NONE], undefined, 'one endpoint of two invents'],
  [[REFUNDED, OPEN, OPEN], undefined, 'one endpoint calls refunded'],
  [[RELEASED, OPEN, OPEN], undefined, 'one endpoint calls released'],
  [[FILLED, NONE, NONE], undefined, 'one endpoint calls filled'],
  [[REFUNDED, REFUNDED, OPEN], 'refunded', 'a quorum calls refunded'],
] as const)
  test(`an escrow that ${name} is ${expected ?? 'not relied on'}`, async () => {
    assert.equal(await originOf(statuses.map(says)), expected)
  })

test('an endpoint that has not reached the block of an escrow is waited for', () => {
  let now = Date.now()
  const work: Parameters<typeof withNodes>[1] = async ({ chain }) => {
    const asked = {
      kind: 'intent',
      chainId: chain.chainId,
      evm: chain,
      settler: `0x${'a'.repeat(40)}`,
    } as const
    const read = createOrderStatusReader(new Map([[chain.chainId, asked]]), DEPS)
    assert.equal((await read(ORDERS))(ORDER_ID).origin, undefined)
    now += 20_000
    assert.equal((await read(ORDERS))(ORDER_ID).origin, 'open')
  }
  const behind = { ...says(NONE), blockNumber: 89 }
  return withNodes([says(OPEN), behind, says(OPEN)], work, {}, () => now)
})

test('an escrow is confirmed by a quorum once, and read again from one endpoint', () =>
  withNodes([says(OPEN), says(OPEN)], async ({ chain }, first, second) => {
    const asked = {
      kind: 'intent',
      chainId: chain.chainId,
      evm: chain,
      settler: `0x${'a'.repeat(40)}`,
    } as const
    const read = createOrderStatusReader(new Map([[chain.chainId, asked]]), DEPS)
    for (let round = 0; round < 3; round += 1) assert.equal((await read(ORDERS))(ORDER_ID).origin, 'open')
    const calls = [first, second].map(
      ({ asked: requests }) => requests.filter(({ method }) => method === 'eth_call').length,
    )
    assert.deepEqual(calls, [5, 2])
    first.answer = says(REFUNDED).answer
    assert.equal((await read(ORDERS))(ORDER_ID).origin, undefined)
    second.answer = says(REFUNDED).answer
    assert.equal((await read(ORDERS))(ORDER_ID).origin, 'refunded')
  }))
