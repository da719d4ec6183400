import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, type Node, quantity, type Request, withNodes } from '../../../test/json-rpc-node.ts'

const ADDRESS = `0x${'a'.repeat(40)}`
const TOPIC = `0x${'1'.repeat(64)}`
const FILTER = { addresses: [ADDRESS], topics0: [TOPIC] }
const ROOT = { number: 40n, hash: hashOf(40) }
const TX_HASH = `0x${'7'.repeat(64)}`

const headerOf = (number: number): object => ({
  number: quantity(number),
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: quantity(number * 10),
})

const logIn = (number: number, position: number, changes: object = {}): object => ({
  address: ADDRESS,
  topics: [TOPIC],
  data: '0x',
  logIndex: quantity(position),
  transactionHash: TX_HASH,
  blockNumber: quantity(number),
  blockHash: hashOf(number),
  ...changes,
})

/** A node that has reached the block number and has the given logs. */
const honest = (reached: number, logs: readonly object[]): Partial<Node> => ({
  blockNumber: reached,
  answer: ({ method, params: [first] }: Request) => {
    if (method === 'eth_getLogs') return { result: logs }
    const wanted = Array.from({ length: 120 }, (_, number) => number).find(
      (number) => first === quantity(number) || first === hashOf(number),
    )
    if (wanted === undefined || !method.startsWith('eth_getBlock')) return undefined
    return { result: wanted <= reached ? headerOf(wanted) : null }
  },
})

test('returns headers in the requested order, from an endpoint that has all of them', () =>
  withNodes([honest(100, []), honest(110, [])], async ({ chain }) => {
    const blocks = await chain.blocks([105n, 3n])
    assert.deepEqual(blocks, [
      { number: 105n, hash: hashOf(105), parentHash: hashOf(104), timestampSeconds: 1_050 },
      { number: 3n, hash: hashOf(3), parentHash: hashOf(2), timestampSeconds: 30 },
    ])
    assert.deepEqual(await chain.blocks([]), [])
    await assert.rejects(chain.blocks([111n]), { code: 'NODE_BEHIND', message: /without block 111/ })
    await assert.rejects(chain.blocks(Array(101).fill(1n)), RangeError)
  }))

test('reads logs only from an endpoint that knows the block', () =>
  withNodes([honest(100, []), honest(110, [logIn(105, 2)])], async ({ chain, lines }) => {
    const found = await chain.logsOfBlocks([hashOf(105)], FILTER)
    assert.deepEqual(
      found.map(({ position, blockNumber }) => [blockNumber, position]),
      [[105n, 2]],
    )
    assert.ok(!lines.some((line) => line.includes('put_aside')), 'a lagging endpoint is not a fault')
    await assert.rejects(chain.logsOfBlocks([`0x${'f'.repeat(64)}`], FILTER), /is behind|malformed/)
  }))

test('returns logs oldest first and without duplicates', () => {
  const logs = [logIn(50, 3), logIn(49, 7), logIn(50, 1), logIn(49, 7)]
  return withNodes([honest(100, logs)], async ({ chain }) => {
    const found = (await chain.finalLogs(ROOT, 60n, FILTER))?.logs ?? []
    assert.deepEqual(
      found.map(({ position, blockNumber }) => [blockNumber, position]),
      [
        [49n, 7],
        [50n, 1],
        [50n, 3],
      ],
    )
    assert.deepEqual(found[0], {
      address: ADDRESS,
      topics: [TOPIC],
      data: '0x',
      txHash: TX_HASH,
      blockNumber: 49n,
      blockHash: hashOf(49),
      position: 7,
      timestampSeconds: 490,
    })
  })
})

const STRANGE: Readonly<Record<string, object>> = {
  'of another contract': { address: `0x${'b'.repeat(40)}` },
  'of another event': { topics: [`0x${'2'.repeat(64)}`] },
  'without a topic': { topics: [] },
  'of another block': { blockNumber: quantity(70), blockHash: hashOf(70) },
  'of a removed block': { removed: true },
  'without their block': { blockHash: null },
}

for (const [fault, changes] of Object.entries(STRANGE))
  test(`rejects logs ${fault}`, () =>
    withNodes([honest(100, [logIn(50, 0, changes)])], async ({ chain }) => {
      await assert.rejects(chain.finalLogs(ROOT, 60n, FILTER))
      await assert.rejects(chain.logsOfBlocks([hashOf(50)], FILTER))
    }))

/** Every bit set: the block may hold any log. */
const FULL_BLOOM = `0x${'f'.repeat(512)}`

/** A node whose block 105 announces logs in its header. */
const announcing = (logs: readonly object[], reached = 110): Partial<Node> => ({
  ...honest(reached, logs),
  answer: ({ method, params: [first] }: Request) => {
    if (method === 'eth_getLogs') return { result: logs }
    if (first !== hashOf(105) || !method.startsWith('eth_getBlock')) return undefined
    return { result: reached < 105 ? null : { ...headerOf(105), logsBloom: FULL_BLOOM } }
  },
})

test('logs that one endpoint leaves out, although the header announces some, are asked of the others', () =>
  withNodes([announcing([]), announcing([]), announcing([logIn(105, 2)])], async ({ chain, lines }) => {
    const found = await chain.logsOfBlocks([hashOf(105)], FILTER)
    assert.deepEqual(
      found.map(({ position }) => position),
      [2],
    )
    assert.deepEqual(lines, [], 'to be late with logs is no fault')
  }))

test('a block whose header may announce logs of others has none when a quorum says so', () =>
  withNodes([announcing([]), announcing([]), announcing([], 100)], async ({ chain }) => {
    assert.deepEqual(await chain.logsOfBlocks([hashOf(105)], FILTER), [])
  }))

test('a block is not called empty while fewer than a quorum of endpoints can tell', () =>
  withNodes([announcing([]), announcing([], 100), announcing([], 100)], async ({ chain }) => {
    await assert.rejects(chain.logsOfBlocks([hashOf(105)], FILTER), { code: 'NODE_BEHIND' })
  }))
